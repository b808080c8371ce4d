export interface OpenRequestsOptions {
  /** Maximum open requests of the process. */
  readonly maxOpenRequests: number;
  /** Maximum open requests of one caller. */
  readonly maxOpenRequestsPerCaller: number;
  /** Maximum bytes of request bodies in memory. */
  readonly maxBodyBytes: number;
}

/** Maximum share of the open requests for all callers without a proven credential together. */
const UNPROVEN_SHARE = 0.75;

/** An open request. */
interface Request {
  readonly caller: Caller;
  readonly isProven: boolean;
  /** Closes its connection. */
  readonly drop: () => void;
  bodyBytes: number;
}

interface Caller {
  readonly name: string;
  /** Open requests, oldest first. */
  readonly requests: Set<Request>;
  /** Number of its requests without a proven credential. */
  unproven: number;
  bodyBytes: number;
}

/** Counts the resources of one open request. */
export interface OpenRequest {
  /** Counts bytes of its body that were read. */
  addBodyBytes(bytes: number): void;
  /** Frees the resources. Further calls do nothing. */
  release(): void;
}

/**
 * Counts the open requests and the bytes of their bodies. A few callers cannot exclude the others:
 *
 * 1. At the maximum of requests, the caller with the most unproven requests loses one of them, if
 *    the new request is of a caller with fewer.
 * 2. At the maximum of bytes, the caller with the most bytes loses its largest request. Callers
 *    with unproven requests come first.
 */
export class OpenRequests {
  readonly #options: OpenRequestsOptions;
  readonly #callers = new Map<string, Caller>();
  #requests = 0;
  #unproven = 0;
  #bodyBytes = 0;

  constructor(options: OpenRequestsOptions) {
    this.#options = options;
  }

  get requests(): number {
    return this.#requests;
  }

  get bodyBytes(): number {
    return this.#bodyBytes;
  }

  /**
   * Whether this caller may open another request. Drops a request of another caller if necessary.
   */
  hasRoom(name: string, isProven: boolean): boolean {
    const { maxOpenRequests, maxOpenRequestsPerCaller } = this.#options;
    const own = this.#callers.get(name)?.requests.size ?? 0;
    if (own >= maxOpenRequestsPerCaller) return false;
    const isFull = () =>
      this.#requests >= maxOpenRequests || (!isProven && this.#unproven >= maxOpenRequests * UNPROVEN_SHARE);
    return !isFull() || (this.#makeRoom(own) && !isFull());
  }

  add(name: string, isProven: boolean, drop: () => void): OpenRequest {
    const caller = this.#callers.get(name) ?? {
      name,
      requests: new Set<Request>(),
      unproven: 0,
      bodyBytes: 0,
    };
    this.#callers.set(name, caller);
    const request: Request = { caller, isProven, drop, bodyBytes: 0 };
    caller.requests.add(request);
    this.#requests += 1;
    this.#countUnproven(request, 1);
    return {
      addBodyBytes: (bytes) => this.#addBodyBytes(request, bytes),
      release: () => this.#release(request),
    };
  }

  #release(request: Request): void {
    const { caller, bodyBytes } = request;
    if (!caller.requests.delete(request)) return;
    this.#requests -= 1;
    this.#countUnproven(request, -1);
    this.#bodyBytes -= bodyBytes;
    caller.bodyBytes -= bodyBytes;
    if (caller.requests.size === 0) this.#callers.delete(caller.name);
  }

  #addBodyBytes(request: Request, bytes: number): void {
    const { caller } = request;
    if (!caller.requests.has(request)) return;
    request.bodyBytes += bytes;
    caller.bodyBytes += bytes;
    this.#bodyBytes += bytes;
    while (this.#bodyBytes > this.#options.maxBodyBytes) {
      const busiest = largest(this.#callers.values(), dropOrder);
      const first = busiest && largest(busiest.requests, ({ bodyBytes }) => bodyBytes);
      if (!first) return;
      this.#drop(first);
    }
  }

  #countUnproven({ caller, isProven }: Request, change: 1 | -1): void {
    if (isProven) return;
    this.#unproven += change;
    caller.unproven += change;
  }

  /**
   * Drops the newest unproven request of the caller that has the most of them, if it has at least
   * two more than `own`.
   */
  #makeRoom(own: number): boolean {
    const busiest = largest(this.#callers.values(), ({ unproven }) => unproven);
    if (!busiest || busiest.unproven <= own + 1) return false;
    const newest = [...busiest.requests].findLast(({ isProven }) => !isProven);
    if (newest) this.#drop(newest);
    return true;
  }

  #drop(request: Request): void {
    this.#release(request);
    request.drop();
  }
}

/**
 * The rank of a caller. The caller with the highest rank loses a request first: one with unproven
 * requests before all others, then one with more bytes before one with fewer.
 */
function dropOrder({ unproven, bodyBytes }: Caller): number {
  return unproven > 0 && bodyBytes > 0 ? Number.MAX_SAFE_INTEGER / 2 + bodyBytes : bodyBytes;
}

function largest<T>(items: Iterable<T>, sizeOf: (item: T) => number): T | undefined {
  let found: T | undefined;
  for (const item of items) if (found === undefined || sizeOf(item) > sizeOf(found)) found = item;
  return found;
}
