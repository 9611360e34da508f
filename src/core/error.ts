/** One table: code → HTTP status → exit code of the program. */
export const ERRORS = {
  usage: { status: 400, exit: 2 },
  invalid: { status: 422, exit: 2 },
  unauthorized: { status: 401, exit: 77 },
  signed_out: { status: 401, exit: 77 },
  forbidden: { status: 403, exit: 77 },
  self_answer: { status: 403, exit: 77 },
  not_found: { status: 404, exit: 3 },
  ambiguous: { status: 409, exit: 3 },
  busy: { status: 409, exit: 1 },
  already_settled: { status: 409, exit: 4 },
  stale_version: { status: 409, exit: 4 },
  not_answerable: { status: 409, exit: 4 },
  idempotency_mismatch: { status: 422, exit: 1 },
  too_large: { status: 413, exit: 1 },
  database_away: { status: 503, exit: 69 },
  hub_away: { status: 503, exit: 69 },
  newer_database: { status: 500, exit: 1 },
  settings: { status: 422, exit: 1 },
  unsafe_home: { status: 500, exit: 1 },
  not_written: { status: 507, exit: 74 },
  other_version: { status: 409, exit: 69 },
  daemon_stopped: { status: 503, exit: 69 },
  daemon_unreachable: { status: 503, exit: 69 },
  internal: { status: 500, exit: 1 },
} as const;
export type ErrorCode = keyof typeof ERRORS;

/** One thing wrong with what somebody sent: where, what the rule is, what came. */
export type Problem = { field: string; message: string; limit?: string; actual?: string };

export class ParleyError extends Error {
  readonly code: ErrorCode;
  readonly problems: readonly Problem[];
  readonly details: Readonly<Record<string, unknown>>;

  constructor(
    code: ErrorCode,
    message: string,
    extra: { problems?: readonly Problem[]; details?: Record<string, unknown>; cause?: unknown } = {},
  ) {
    super(message, extra.cause === undefined ? undefined : { cause: extra.cause });
    this.name = "ParleyError";
    this.code = code;
    this.problems = extra.problems ?? [];
    this.details = extra.details ?? {};
  }
}
