import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { graphql } from '../../../shared/api/graphql.ts';
import { useChange } from '../../../shared/api/query.ts';
import { usePermissions } from '../../../shared/api/viewer.ts';
import { Button } from '../../../shared/components/button.tsx';
import { Card } from '../../../shared/components/card.tsx';
import { ConfirmDialog } from '../../../shared/components/confirm-dialog.tsx';
import { useToast } from '../../../shared/components/toasts.tsx';
import { labels } from '../../../shared/text/labels.ts';
import { endpointForm, webhook as text } from '../../../shared/text/webhooks.ts';
import { EndpointForm } from '../webhooks/endpoint-form.tsx';
import { SigningSecret } from '../webhooks/signing-secret.tsx';
import type { EndpointDetail } from './endpoint-detail.ts';
import { ReplayDialog } from './replay-dialog.tsx';

const UPDATE = graphql(/* GraphQL */ `
  mutation UpdateEndpoint($id: ID!, $input: UpdateWebhookEndpointInput!) {
    updateWebhookEndpoint(id: $id, input: $input) {
      id
      status
    }
  }
`);

const ROTATE = graphql(/* GraphQL */ `
  mutation RotateSecret($id: ID!) {
    rotateWebhookSecret(id: $id) {
      secret
    }
  }
`);

const DELETE = graphql(/* GraphQL */ `
  mutation DeleteEndpoint($id: ID!) {
    deleteWebhookEndpoint(id: $id) {
      id
    }
  }
`);

type Action = 'edit' | 'replay' | 'rotate' | 'pause' | 'remove';

/** The actions of an endpoint, each with a short description. */
export function Manage({ endpoint }: { readonly endpoint: EndpointDetail }) {
  const { id, status } = endpoint;
  const permissions = usePermissions();
  const toast = useToast();
  const navigate = useNavigate();
  const [open, setOpen] = useState<Action>();
  const [secret, setSecret] = useState<string>();
  const close = () => setOpen(undefined);
  const update = useChange(UPDATE, { onDone: close });
  const rotate = useChange(ROTATE, {
    onDone: ({ rotateWebhookSecret }) => {
      close();
      setSecret(rotateWebhookSecret.secret);
    },
  });
  const remove = useChange(DELETE, {
    onDone: async () => {
      toast(text.removed);
      // The page of a deleted endpoint has nothing to show.
      await navigate({ to: '/webhooks' });
    },
  });
  const setStatus = (newStatus: 'ENABLED' | 'DISABLED') =>
    update.mutate(
      { id, input: { status: newStatus } },
      {
        onSuccess: () => toast(newStatus === 'ENABLED' ? text.enabled : text.paused),
        onError: ({ message }) => toast(message, 'bad'),
      },
    );
  const isEnabled = status === 'ENABLED';
  const readOnly = permissions.write ? undefined : labels.readOnly;
  const rows = [
    { label: text.edit, hint: text.editHint, run: () => setOpen('edit'), reason: readOnly },
    {
      label: text.replay,
      hint: text.replayHint,
      run: () => setOpen('replay'),
      reason: readOnly ?? (isEnabled ? undefined : text.isDisabled),
    },
    { label: text.rotate, hint: text.rotateHint, run: () => setOpen('rotate'), reason: readOnly },
    isEnabled
      ? { label: text.pause, hint: text.pauseHint, run: () => setOpen('pause'), reason: readOnly }
      : { label: text.enable, hint: text.enableHint, run: () => setStatus('ENABLED'), reason: readOnly },
    { label: text.remove, hint: text.removeHint, run: () => setOpen('remove'), reason: readOnly },
  ];
  return (
    <Card title={text.manage}>
      <ul className="grid gap-3">
        {rows.map(({ label, hint, run, reason }) => (
          <li key={label} className="flex items-center justify-between gap-3">
            <span className="min-w-0 text-soft">{hint}</span>
            <Button disabled={reason !== undefined} title={reason} onClick={run} className="shrink-0">
              {label}
            </Button>
          </li>
        ))}
      </ul>
      {open === 'edit' && (
        <EndpointForm
          title={endpointForm.editTitle}
          action={endpointForm.save}
          settings={endpoint}
          onSave={async (input) => {
            await update.mutateAsync({ id, input });
            toast(endpointForm.saved);
          }}
          onClose={close}
        />
      )}
      {open === 'replay' && <ReplayDialog endpointId={id} onClose={close} />}
      {open === 'rotate' && (
        <ConfirmDialog
          title={text.rotateTitle}
          action={text.rotate}
          busy={rotate.isPending}
          error={rotate.error?.message}
          onConfirm={() => rotate.mutate({ id })}
          onClose={close}
        >
          {text.rotateText}
        </ConfirmDialog>
      )}
      {open === 'pause' && (
        <ConfirmDialog
          title={text.pauseTitle}
          action={text.pause}
          busy={update.isPending}
          error={update.error?.message}
          onConfirm={() => setStatus('DISABLED')}
          onClose={close}
        >
          {text.pauseText}
        </ConfirmDialog>
      )}
      {open === 'remove' && (
        <ConfirmDialog
          title={text.removeTitle}
          action={text.remove}
          danger
          busy={remove.isPending}
          error={remove.error?.message}
          onConfirm={() => remove.mutate({ id })}
          onClose={close}
        >
          {text.removeText}
        </ConfirmDialog>
      )}
      {secret && <SigningSecret secret={secret} isRotated onClose={() => setSecret(undefined)} />}
    </Card>
  );
}
