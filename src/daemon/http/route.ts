import type { Caller } from "../../inbox/callers.ts";
import type { BodyOf, EndpointName, QueryOf, ResultOf } from "../../protocol/contract.ts";

export type Incoming<N extends EndpointName> = {
  id: string;
  query: QueryOf<N>;
  body: BodyOf<N>;
  once: string | undefined;
  gone: AbortSignal;
  caller: Caller;
};
export type Routes = { [N in EndpointName]: (input: Incoming<N>) => Promise<ResultOf<N>> };
