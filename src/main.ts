// Composition root: the name of a command leads to the one file that does it, loaded only then.
import { version } from "../package.json" with { type: "json" };

type Command = (args: string[]) => Promise<number>;

const cli = async () => import("./surfaces/cli/run.ts");

const SPECIAL: Record<string, Command> = {
  async hook(args) {
    const { hook } = await import("./hook/hook.ts");
    await hook(args, process.env).catch(() => undefined);
    return 0;
  },
  async serve(args) {
    const { serve } = await import("./serve.ts");
    return serve(args, process.env, version);
  },
};

const [name = "", ...args] = process.argv.slice(2);
const special = SPECIAL[name];
const code = special ? await special(args) : await (await cli()).run(name, args, version);
process.exit(code);
