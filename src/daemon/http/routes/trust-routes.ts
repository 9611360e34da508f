import { distrust } from "../../../autopilot/setting.ts";
import { ParleyError } from "../../../core/error.ts";
import type { ConfigFiles } from "../../../machine/settings/config-file.ts";
import type { TrustedFiles } from "../../../machine/settings/trusted-files.ts";
import type { Trust } from "../../../protocol/autopilot.ts";
import type { Clock } from "../../../inbox/inbox.ts";
import type { Routes } from "./route.ts";

type Deps = { config: ConfigFiles; trusted: TrustedFiles; now: Clock };

/** Whether a project's own rules act is for its person to say, about the file as they saw it. */
export function createTrustRoutes({ config, trusted, now }: Deps): Pick<Routes, "getTrust" | "setTrust"> {
  async function found(folder: string) {
    const project = await config.project(folder);
    if (!project) throw new ParleyError("not_found", "There is no project here: this is not a git repository");
    return project;
  }

  async function view(folder: string): Promise<Trust> {
    const { trust, text, digest, rules } = await found(folder);
    const before = trusted.of(trust.file)?.text;
    const notice = noticeOf(trust, rules.length);
    return {
      ...trust,
      rules: rules.length,
      ...(text !== undefined && { text }),
      ...(digest !== undefined && { digest }),
      ...(before !== undefined && { before }),
      ...(notice !== undefined && { notice }),
    };
  }

  return {
    getTrust: ({ query: { folder } }) => view(folder),
    async setTrust({ body: { folder, digest } }) {
      const { trust, text, digest: current, problems } = await found(folder);
      if (digest === null) await trusted.set(trust.file, undefined);
      else {
        if (trust.state === "link") throw new ParleyError("invalid", distrust(trust));
        if (current === undefined || text === undefined)
          throw new ParleyError("not_found", problems[0]?.message ?? `There is no ${trust.file}`);
        if (current !== digest) throw new ParleyError("stale_version", `${trust.file} changed while you looked at it`);
        await trusted.set(trust.file, { digest, at: now(), text });
      }
      return view(folder);
    },
  };
}

/** Undefined: all is well, or there is nothing in it that anybody would miss. */
export function noticeOf(trust: Parameters<typeof distrust>[0] | undefined, rules: number): string | undefined {
  if (!trust || trust.state === "trusted" || trust.state === "none") return undefined;
  if (trust.state !== "changed" && rules === 0) return undefined;
  return `${distrust(trust)}${trust.state === "link" ? "" : ": parley autopilot trust --file"}`;
}
