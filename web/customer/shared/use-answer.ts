import { useCallback, useEffect, useState } from 'react';
import { askJson } from './ask-json.ts';

export interface RouteAnswer<Answer> {
  readonly data: Answer | undefined;
  readonly error: Error | undefined;
  /** Sends the request again; the data stays until the new answer arrives. */
  readonly reload: () => Promise<void>;
  /** Replaces the data by the answer to another request. */
  readonly show: (data: Answer) => void;
}

/** The answer of a route. */
export function useAnswer<Answer>(path: string): RouteAnswer<Answer> {
  const [data, setData] = useState<Answer>();
  const [error, setError] = useState<Error>();
  const reload = useCallback(async () => {
    try {
      setData(await askJson<Answer>(path));
      setError(undefined);
    } catch (cause) {
      setError(cause as Error);
    }
  }, [path]);
  useEffect(() => {
    void reload();
  }, [reload]);
  return { data, error, reload, show: setData };
}
