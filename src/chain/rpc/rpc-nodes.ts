// One cluster has several URLs. Each is a node with its own budget and health:
//
// 1. The first healthy node in the list that has budget left gets the call.
// 2. A busy node (429, also inside HTTP 200) is paused for the requested time, or longer after each
//    failure, and another node gets the call.
// 3. A broken node (5xx, unreachable, silent) is paused longer after each failure, and another one
//    gets the call.
// 4. If a node is behind (-32016, or an answer from an older slot), another one gets the call. If
//    all are behind, the call fails with that error. Calls that accept any slot then prefer the
//    node with the highest slot.
// 5. If every node has failed, the call waits for the first available one, up to three times. Then
//    it fails with the last error.
import { setTimeout as sleep } from 'node:timers/promises';
import type { RpcTransport } from '@solana/kit';
import { askNode, type Outcome, slotWhenBehind } from './rpc-outcome.ts';

/** Maximum rounds of a call. Each round calls each node at most once. */
const MAX_ROUNDS = 4;
const FIRST_DELAY_MS = 200;
/**
 * Maximum wait within a call. If the wait would be longer, the caller gets the error, because it
 * has its own schedule.
 */
const MAX_DELAY_MS = 5_000;
/** Maximum pause that a node may request. */
const MAX_PAUSE_MS = 30_000;
const BEHIND_MS = 1_000;
const ANSWER_TIMEOUT_MS = 15_000;
/** Timeout if another node can get the call. */
const SHORT_TIMEOUT_MS = 5_000;
/** A wait shorter than this does not change the order of the nodes. */
const MIN_WAIT_MS = 100;

type Request = Parameters<RpcTransport>[0];

/** The result of a call, as the metric counts it. */
export type CallResult = Outcome['kind'];

/** A node and its state, as this process has observed it. */
export interface RpcNode {
  readonly ask: RpcTransport;
  readonly callIntervalMs: number;
  readonly count: (result: CallResult) => void;
  /** Earliest time of the next call. All times are those of `performance.now()`. */
  pausedUntil: number;
  /** Until this time other nodes are preferred. */
  behindUntil: number;
  /** The slot of the node when it was last behind. */
  behindAt: bigint;
  failuresInARow: number;
  /** When the budget next allows a call. */
  nextCallAt: number;
}

/** @param requestsPerSecond the budget of the node; unlimited by default */
export function rpcNode(
  ask: RpcTransport,
  count: (result: CallResult) => void,
  requestsPerSecond?: number,
): RpcNode {
  const callIntervalMs = requestsPerSecond ? 1_000 / requestsPerSecond : 0;
  const initialState = { pausedUntil: 0, behindUntil: 0, behindAt: 0n, failuresInARow: 0, nextCallAt: 0 };
  return { ask, callIntervalMs, count, ...initialState };
}

/** No node is available for some seconds, because each is paused or has no budget left. */
export class RpcBusy extends Error {
  override name = 'RpcBusy';
}

/**
 * Creates a transport that calls the best node, and other nodes after a failure. Every method that
 * dues calls may be repeated on any node: reads change nothing, and the same signed bytes land
 * once. kit has no retry of its own.
 */
export function onAnyNode(nodes: readonly RpcNode[]): RpcTransport {
  return <T>(request: Request) => onOneNode(nodes, (ask) => ask<T>(request), request.signal);
}

/**
 * Creates a transport that calls every available node once and returns the first success. If none
 * succeeds, the call continues as in `onAnyNode`. For transactions, which should reach many nodes.
 */
export function onAllNodes(nodes: readonly RpcNode[]): RpcTransport {
  const callOnce = async <T>(node: RpcNode, request: Request): Promise<T> => {
    try {
      return await callNode(node, false)<T>(request);
    } catch (error) {
      if (error instanceof NodeFailed) pauseNode(node, error.outcome, { round: 1, isAlone: false });
      throw error;
    }
  };
  return async <T>(request: Request): Promise<T> => {
    const soon = performance.now() + MIN_WAIT_MS;
    const ready = nodes.filter((node) => readyAt(node) <= soon);
    if (ready.length < 2) return onAnyNode(nodes)<T>(request);
    return Promise.any(ready.map((node) => callOnce<T>(node, request))).catch(() =>
      onAnyNode(nodes)<T>(request),
    );
  };
}

/**
 * Runs work whose calls must all be answered by one node. If that node fails, all of the work is
 * repeated with another one.
 */
export async function onOneNode<T>(
  nodes: readonly RpcNode[],
  work: (ask: RpcTransport) => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  for (let round = 1; ; round += 1) {
    let lastFailure: NodeFailed | undefined;
    let pauseMs = Number.POSITIVE_INFINITY;
    for (const node of sortByReadiness(nodes)) {
      if (lastFailure && readyAt(node) > performance.now()) continue;
      try {
        return await work(callNode(node, nodes.length === 1));
      } catch (error) {
        if (!(error instanceof NodeFailed) || error.node !== node) throw error;
        lastFailure = error;
        pauseMs = Math.min(pauseMs, pauseNode(node, error.outcome, { round, isAlone: nodes.length === 1 }));
      }
    }
    // If all nodes are behind, the caller decides how long to wait.
    const isOver = round === MAX_ROUNDS || pauseMs > MAX_DELAY_MS || lastFailure?.outcome.kind === 'behind';
    if (lastFailure && isOver) throw lastFailure.outcome.error;
    await sleep(pauseMs, undefined, { signal });
  }
}

/** The call failed on this node but may succeed on another one. */
class NodeFailed extends Error {
  readonly node: RpcNode;
  readonly outcome: Exclude<Outcome, { kind: 'fine' | 'failed' }>;

  constructor(node: RpcNode, outcome: NodeFailed['outcome']) {
    super(outcome.kind);
    this.node = node;
    this.outcome = outcome;
  }
}

function callNode(node: RpcNode, isAlone: boolean): RpcTransport {
  return async <T>(request: Request): Promise<T> => {
    const timeoutMs = isAlone ? ANSWER_TIMEOUT_MS : SHORT_TIMEOUT_MS;
    await waitForTurn(node, timeoutMs, request.signal);
    const outcome = await askNode(node.ask, request, timeoutMs);
    node.count(outcome.kind);
    const hasResponded = outcome.kind !== 'broken' && outcome.kind !== 'busy';
    if (hasResponded && node.failuresInARow > 0) Object.assign(node, { failuresInARow: 0, pausedUntil: 0 });
    if (outcome.kind === 'failed') throw outcome.error;
    if (outcome.kind !== 'fine') throw new NodeFailed(node, outcome);
    return outcome.answer as T;
  };
}

/**
 * Sorts nodes by waiting time; being behind counts as one second. Nodes with the same waiting time
 * keep the order of the list. If they are behind, the one with the highest slot comes first.
 */
function sortByReadiness(nodes: readonly RpcNode[]): RpcNode[] {
  const now = performance.now();
  const isBehind = (node: RpcNode) => node.behindUntil > now;
  const waitSteps = (node: RpcNode) => {
    const waitMs = Math.max(0, readyAt(node) - now) + (isBehind(node) ? BEHIND_MS : 0);
    return Math.floor(waitMs / MIN_WAIT_MS);
  };
  return nodes.toSorted((a, b) => {
    if (waitSteps(a) !== waitSteps(b) || !isBehind(a) || !isBehind(b)) return waitSteps(a) - waitSteps(b);
    return Number(b.behindAt - a.behindAt);
  });
}

function readyAt({ pausedUntil, nextCallAt }: RpcNode): number {
  return Math.max(pausedUntil, nextCallAt);
}

/**
 * Waits until the node is available, and uses one call of its budget.
 *
 * @throws RpcBusy
 */
async function waitForTurn(node: RpcNode, timeoutMs: number, signal: Request['signal']): Promise<void> {
  const now = performance.now();
  const at = Math.max(now, readyAt(node));
  if (at - now > MAX_DELAY_MS) throw new RpcBusy('No RPC node is available for some seconds');
  node.nextCallAt = at + node.callIntervalMs;
  // This call tests whether the node has recovered. Until it ends, other calls use other nodes.
  if (node.failuresInARow > 0) node.pausedUntil = at + timeoutMs;
  if (at > now) await sleep(at - now, undefined, { signal });
}

/**
 * Pauses a node after a failure. A single node is paused only if it reports that it is busy,
 * because that applies to all calls. Returns how long this call waits before it continues.
 */
function pauseNode(
  node: RpcNode,
  { kind, pauseMs: requestedPauseMs, error }: NodeFailed['outcome'],
  { round, isAlone }: { readonly round: number; readonly isAlone: boolean },
): number {
  // Half of the delay is random, so that workers do not retry at the same time.
  const backoffMs = FIRST_DELAY_MS * 2 ** (round - 1) * (0.5 + Math.random() / 2);
  const now = performance.now();
  const pauseMs = requestedPauseMs ?? backoffMs;
  if (kind === 'behind')
    Object.assign(node, { behindUntil: now + BEHIND_MS, behindAt: slotWhenBehind(error) ?? 0n });
  else if (!isAlone) {
    node.failuresInARow += 1;
    const longerMs = Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** node.failuresInARow);
    const limitedPauseMs = kind === 'busy' && requestedPauseMs ? Math.min(requestedPauseMs, MAX_PAUSE_MS) : 0;
    node.pausedUntil = now + Math.max(longerMs, limitedPauseMs);
  } else if (kind === 'busy' && pauseMs <= MAX_DELAY_MS) node.pausedUntil = now + pauseMs;
  return pauseMs;
}
