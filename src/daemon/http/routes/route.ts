import type { Caller } from "../../../inbox/callers.ts";
import type { Later } from "../../../machine/time/later.ts";
import type { Browser } from "../../../protocol/page.ts";
import type { BodyOf, BriefOf, EndpointName, QueryOf, ResultOf } from "../../../protocol/contract.ts";

export type Incoming<N extends EndpointName> = {
  id: string;
  query: QueryOf<N>;
  body: BodyOf<N>;
  once: string | undefined;
  gone: AbortSignal;
  caller: Caller;
  /** Wants the contract's `brief`, where the endpoint has one. */
  isBrief: boolean;
  /** The one that is signed in and sends this from the page. */
  browser?: Browser | undefined;
};
export type Routes = {
  [N in EndpointName]: (input: Incoming<N>) => Promise<ResultOf<N> | BriefOf<N> | Later<ResultOf<N>>>;
};

/** A request as its route gets it. One class for all of them: ten thousand may wait, and each keeps what it came with. */
export class Arrived {
  once: string | undefined;
  query: unknown;
  body: unknown;
  caller: Caller;
  browser: Browser | undefined;
  id: string;
  isBrief: boolean;
  readonly #request: Request;
  readonly #over: AbortSignal | undefined;

  constructor(input: Omit<Arrived, "gone">, request: Request, over: AbortSignal | undefined) {
    this.once = input.once;
    this.query = input.query;
    this.body = input.body;
    this.caller = input.caller;
    this.browser = input.browser;
    this.id = input.id;
    this.isBrief = input.isBrief;
    this.#request = request;
    this.#over = over;
  }

  /** Only for who wants it: most answer at once. Waiting hooks are told in words to come back to the next daemon. */
  get gone(): AbortSignal {
    const { signal } = this.#request;
    return this.#over ? AbortSignal.any([signal, this.#over]) : signal;
  }
}
