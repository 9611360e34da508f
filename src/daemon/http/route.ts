import type { Caller } from "../../inbox/callers.ts";
import type { Browser } from "../../protocol/page.ts";
import type { BodyOf, EndpointName, QueryOf, ResultOf } from "../../protocol/contract.ts";

export type Incoming<N extends EndpointName> = {
  id: string;
  query: QueryOf<N>;
  body: BodyOf<N>;
  once: string | undefined;
  gone: AbortSignal;
  caller: Caller;
  /** The one that is signed in and sends this from the page. */
  browser?: Browser | undefined;
};
export type Routes = { [N in EndpointName]: (input: Incoming<N>) => Promise<ResultOf<N>> };
