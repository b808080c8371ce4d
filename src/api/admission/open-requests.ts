export interface OpenRequestsOptions {
  /** Maximum open requests of the process. */
  readonly maxOpenRequests: number;
  /** Maximum open requests of one caller. */
  readonly maxOpenRequestsOfOne: number;
  /** Maximum bytes of request bodies in memory. */
  readonly maxBodyBytes: number;
}

/** Maximum share of the open requests that callers without a proven credential have together. */
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
  /** Oldest first. */
  readonly requests: Set<Request>;
  /** The number without a proven credential. */
  unproven: number;
  bodyBytes: number;
}

/** The resources of one open request. */
export interface Held {
  /** Counts bytes of its body. */
  read(bytes: number): void;
  /** Frees them. Further calls do nothing. */
  give(): void;
}

/**
 * Counts the open requests and the bytes of their bodies. At the maximum, the newest request of the
 * caller with most is dropped for a caller with fewer, so that a few callers cannot exclude others.
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
   * Whether this caller may open another request, if necessary by dropping one of another caller.
   */
  hasRoom(name: string, isProven: boolean): boolean {
    const { maxOpenRequests, maxOpenRequestsOfOne } = this.#options;
    const own = this.#callers.get(name)?.requests.size ?? 0;
    if (own >= maxOpenRequestsOfOne) return false;
    const isFull = () =>
      this.#requests >= maxOpenRequests || (!isProven && this.#unproven >= maxOpenRequests * UNPROVEN_SHARE);
    return !isFull() || (this.#makeRoom(own) && !isFull());
  }

  add(name: string, isProven: boolean, drop: () => void): Held {
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
      read: (bytes) => this.#read(request, bytes),
      give: () => this.#give(request),
    };
  }

  #give(request: Request): void {
    const { caller, bodyBytes } = request;
    if (!caller.requests.delete(request)) return;
    this.#requests -= 1;
    this.#countUnproven(request, -1);
    this.#bodyBytes -= bodyBytes;
    caller.bodyBytes -= bodyBytes;
    if (caller.requests.size === 0) this.#callers.delete(caller.name);
  }

  #read(request: Request, bytes: number): void {
    const { caller } = request;
    if (!caller.requests.has(request)) return;
    request.bodyBytes += bytes;
    caller.bodyBytes += bytes;
    this.#bodyBytes += bytes;
    while (this.#bodyBytes > this.#options.maxBodyBytes) {
      const busiest = largest(this.#callers.values(), dropOrder);
      const first = busiest && largest(busiest.requests, (each) => each.bodyBytes);
      if (!first) return;
      this.#drop(first);
    }
  }

  #countUnproven({ caller, isProven }: Request, by: 1 | -1): void {
    if (isProven) return;
    this.#unproven += by;
    caller.unproven += by;
  }

  /**
   * Drops the newest request of the caller with most unproven ones, if it has two more than `own`.
   */
  #makeRoom(own: number): boolean {
    const busiest = largest(this.#callers.values(), ({ unproven }) => unproven);
    if (!busiest || busiest.unproven <= own + 1) return false;
    const newest = [...busiest.requests].findLast(({ isProven }) => !isProven);
    if (newest) this.#drop(newest);
    return true;
  }

  #drop(request: Request): void {
    this.#give(request);
    request.drop();
  }
}

/** The order of dropping: callers without a proven credential first, then by bytes. */
function dropOrder({ unproven, bodyBytes }: Caller): number {
  return unproven > 0 && bodyBytes > 0 ? Number.MAX_SAFE_INTEGER / 2 + bodyBytes : bodyBytes;
}

function largest<T>(all: Iterable<T>, size: (each: T) => number): T | undefined {
  let busiest: T | undefined;
  for (const each of all) if (busiest === undefined || size(each) > size(busiest)) busiest = each;
  return busiest;
}
