import { z } from "zod";
import { AutopilotConfig } from "./autopilot.ts";
import { flag, KEYS, type KeyInfo, needs, quiet, seconds, section, whole } from "./field.ts";
import { Approvals } from "./approvals.ts";
import { Desktop } from "./desktop.ts";
import { Push } from "./push.ts";
import { ROUTING } from "./routes.ts";
import { Slack } from "./slack.ts";
import { Telegram } from "./telegram.ts";
import { SANDBOX } from "./sandbox.ts";
import { LOG_LEVELS } from "./log-level.ts";

export type { KeyInfo } from "./field.ts";

const Notify = z.strictObject(
  {
    enabled: flag(true).register(KEYS, { about: "Notify about waiting questions", project: "off" }),
    after_seconds: seconds(86_400)
      .default(10)
      .register(KEYS, { about: "Only notify about questions that have waited this long", project: "any" }),
    quiet: quiet().register(KEYS, {
      about: "Local hours without notifications; whatever still waits is sent afterwards",
    }),
    ...ROUTING,
    link_base: address()
      .refine((text) => !/[?#]/.test(text), { error: "expected an address without ? and #" })
      .default("")
      .register(KEYS, { about: "Where you reach this machine from outside, for links; empty: web.address" }),
    link_port: port()
      .default(4799)
      .register(KEYS, { about: "Loopback port behind that address; it serves links only" }),
    link_minutes: whole(1, 10_080).default(60).register(KEYS, { about: "How long a link works" }),
    buttons_for_approvals: flag(false).register(KEYS, {
      about: "Buttons and links for approvals and plans too",
      strict: false,
    }),
    desktop: Desktop.prefault({}),
    ntfy: z
      .strictObject(
        {
          url: address()
            .refine((text) => text === "" || new URL(text).pathname !== "/", {
              error: "add a topic after the host, as in https://ntfy.sh/your-topic",
            })
            .default("")
            .register(KEYS, { about: "Topic address; none: off", hide: "path" }),
          token: secret().register(KEYS, { about: "Access token, if the topic needs one", hide: "whole" }),
        },
        section,
      )
      .prefault({}),
    webhook: z
      .strictObject(
        {
          url: address().default("").register(KEYS, { about: "Where events are posted; none: off", hide: "path" }),
          secret: secret().register(KEYS, { about: "Signs every request; at least 16 characters", hide: "whole" }),
        },
        section,
      )
      .refine(({ url, secret: key }) => url === "" || key.length >= 16, {
        path: ["secret"],
        error: "at least 16 characters are needed, so that the receiver can tell who sent it",
      })
      .prefault({}),
    telegram: Telegram.prefault({}),
    slack: Slack.prefault({}),
    push: Push.prefault({}),
  },
  section,
);
export type Notify = z.infer<typeof Notify>;

const Web = z
  .strictObject(
    {
      address: address()
        .refine((text) => text === "" || new URL(text).origin === text, {
          error: "expected an address without a path, such as https://laptop.example.net",
        })
        .default("")
        .register(KEYS, { about: "The address of the page behind your own tunnel or proxy" }),
      bind: z
        .string({ error: needs("an address of this machine") })
        .regex(/^[\w.:-]+$/, { error: needs("an address of this machine") })
        .default("127.0.0.1")
        .register(KEYS, { about: "Where page and API listen; beyond loopback only with web.token" }),
      token: secret().register(KEYS, {
        about: "Your own token for page and API; 24 characters or more",
        hide: "whole",
      }),
    },
    section,
  )
  .refine(({ token }) => token === "" || token.length >= 24, {
    path: ["token"],
    error: "at least 24 characters are needed, so that nobody can guess it",
  });

export type Policy = "nudge" | "resume" | "retry" | "escalate" | "cancel";

/** Only what makes sense there: a value that is taken and then does something else misleads. */
const policy = (allowed: readonly Policy[], about: string) =>
  z
    .enum<Policy[]>([...allowed, "escalate", "cancel"], { error: needs(`${allowed.join(", ")}, escalate or cancel`) })
    .default("escalate")
    .register(KEYS, { about, project: "any" });

/** No key that a project's own file may set names a command: a cloned one must not decide what runs. */
const Tasks = z.strictObject(
  {
    limit: whole(0, 1000)
      .default(0)
      .register(KEYS, { about: "How many tasks run at once; 0: as many as there are cores", strict: 1 }),
    park_after_seconds: seconds(86_400)
      .default(60)
      .register(KEYS, { about: "How long a task's process waits for an answer before it is parked" }),
    approval_wait_seconds: seconds(86_400)
      .default(300)
      .register(KEYS, { about: "How long a task's process waits for a permission or plan before it is parked" }),
    on_idle: policy(["nudge", "retry"], "A task stopped without finishing: nudge, retry, escalate or cancel"),
    on_dead: policy(["resume", "retry"], "The agent of a task died: resume, retry, escalate or cancel"),
    on_error: policy(["resume", "retry"], "The agent of a task failed: resume, retry, escalate or cancel"),
    on_gate: policy(
      ["nudge", "retry"],
      "The check of a task failed: nudge (send it to the agent), retry, escalate or cancel",
    ),
    on_prompt: policy(["nudge"], "A task needs a permission: nudge (deny and go on), escalate or cancel"),
    retry_limit: whole(0, 100)
      .default(3)
      .register(KEYS, { about: "How often in a row a policy may continue a task before a person is asked", strict: 0 }),
    retry_backoff_seconds: seconds(86_400)
      .default(30)
      .register(KEYS, { about: "Wait before the first resume or retry; doubles each time" }),
    worktree_days: whole(0, 36_500).default(14).register(KEYS, {
      about: "Remove worktree and branch of a task this long after it ended, never with work in them; 0: keep them",
    }),
    ...SANDBOX,
    budget_usd: z
      .number({ error: needs("a number of dollars") })
      .min(0, { error: needs("a number of dollars") })
      .default(0)
      .register(KEYS, { about: "A task that has cost this much waits for you; 0: no limit", strict: 0.01 }),
  },
  section,
);
export type TaskSettings = z.infer<typeof Tasks>;

/** Every setting, with its default. A new part of Parley adds a section; a file may hold any part of it. */
export const Config = z.strictObject({
  port: port()
    .default(4747)
    .register(KEYS, { about: "Loopback port, or the next free one; PARLEY_PORT: exactly that", env: "PARLEY_PORT" }),
  hold: z
    .strictObject(
      {
        subagent_seconds: seconds(3600)
          .default(20)
          .register(KEYS, { about: "How long an approval inside a subagent is held" }),
        elicitation_seconds: seconds(3600).default(20).register(KEYS, {
          about: "How long what an MCP server asks for is held before the agent's own dialog opens",
        }),
      },
      section,
    )
    .prefault({}),
  approvals: Approvals.prefault({}),
  inbox: z
    .strictObject(
      {
        idle_sessions: flag(false).register(KEYS, {
          about: "Ask about an agent that waits for a prompt too: counted, shown and told like a question",
        }),
      },
      section,
    )
    .prefault({}),
  tasks: Tasks.prefault({}),
  keys: z
    .strictObject(
      {
        all_sessions: flag(false).register(KEYS, {
          about: "Type a saved answer into the dialog of any agent in tmux, not only in watched panes",
          strict: false,
        }),
      },
      section,
    )
    .prefault({}),
  retention: z
    .strictObject(
      {
        days: whole(0, 36_500)
          .default(0)
          .register(KEYS, { about: "Settled questions older than this are removed; 0: never" }),
      },
      section,
    )
    .prefault({}),
  notify: Notify.prefault({}),
  log: z
    .strictObject(
      {
        level: z
          .enum(LOG_LEVELS, { error: needs("debug, info, warn or error") })
          .default("info")
          .register(KEYS, { about: "How much detail the daemon logs", env: "PARLEY_LOG" }),
      },
      section,
    )
    .prefault({}),
  web: Web.prefault({}),
  autopilot: AutopilotConfig.prefault({}),
});
export type Config = z.infer<typeof Config>;

type Leaf = { key: string; path: readonly string[]; info: KeyInfo };
/** Every key that holds a value, in the order of the schema. */
export const LEAVES: readonly Leaf[] = leavesOf(Config, []);

/** The names a table may hold, by its path; undefined where there is no table. */
export function namesAt(path: readonly PropertyKey[]): string[] | undefined {
  let at: z.core.$ZodType = Config;
  for (const name of path) {
    const table = bare(at);
    const next: z.core.$ZodType | undefined =
      table instanceof z.ZodObject ? (table.shape as z.core.$ZodShape)[String(name)] : undefined;
    if (!next) return undefined;
    at = next;
  }
  const table = bare(at);
  return table instanceof z.ZodObject ? Object.keys(table.shape) : undefined;
}

function leavesOf(schema: z.core.$ZodType, path: readonly string[]): Leaf[] {
  const table = bare(schema);
  if (table instanceof z.ZodObject)
    return Object.entries(table.shape as z.core.$ZodShape).flatMap(([name, inner]) => leavesOf(inner, [...path, name]));
  const info = KEYS.get(schema);
  if (!info) throw new Error(`${path.join(".")} has no description`);
  return [{ key: path.join("."), path, info }];
}

function bare(schema: z.core.$ZodType): z.core.$ZodType {
  return schema instanceof z.ZodDefault || schema instanceof z.ZodPrefault ? bare(schema.unwrap()) : schema;
}

/** Below 1024 only root may listen, and the daemon tries some ports above the first. */
function port() {
  const error = needs("a port from 1024 to 65000, or 0 for any");
  return z.number({ error }).refine((n) => n === 0 || (Number.isInteger(n) && n >= 1024 && n <= 65_000), { error });
}

/** Its value is never repeated: an address may itself be the secret. */
function address() {
  const error = "expected an address that begins with http:// or https://";
  const isAddress = (text: string) => text === "" || (/^https?:\/\//.test(text) && URL.canParse(text));
  return z.string({ error }).refine(isAddress, { error, abort: true });
}

function secret() {
  const error = "expected text on one line, without spaces";
  return z
    .string({ error })
    .refine((text) => /^[\x21-\x7e]*$/.test(text), { error })
    .default("");
}
