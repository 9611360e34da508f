import { pluginHooks } from "./claude-code/hook-lines.ts";
import { extensionHooks } from "./gemini/install.ts";
import { pluginText as opencodePlugin } from "./opencode/install.ts";

const ABOUT = "The questions and permission prompts of this agent, in one inbox with those of your others.";
const json = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;

/** What hosts install by themselves, by its path in the repository. Each line finds Parley where it always is, and does nothing without it. */
export function pluginFiles(version: string): Record<string, string> {
  const about = { name: "parley", description: ABOUT, version };
  const author = { name: "Parley" };
  return {
    ".claude-plugin/marketplace.json": json({
      name: "parley",
      owner: author,
      metadata: { description: ABOUT },
      plugins: [{ ...about, author, source: "./plugins/claude-code" }],
    }),
    "plugins/claude-code/.claude-plugin/plugin.json": json({ ...about, author, license: "MIT" }),
    "plugins/claude-code/hooks/hooks.json": json(pluginHooks()),
    "plugins/claude-code/README.md": readme(
      "Claude Code",
      "/plugin marketplace add <this repository>\n/plugin install parley@parley",
    ),
    "plugins/gemini/gemini-extension.json": json(about),
    "plugins/gemini/hooks/hooks.json": json(extensionHooks()),
    "plugins/gemini/README.md": readme("Gemini CLI", "gemini extensions install <this folder>"),
    "plugins/opencode/package.json": json({
      name: "parley-opencode",
      version,
      description: ABOUT,
      license: "MIT",
      type: "module",
      main: "./plugin.js",
      exports: { ".": "./plugin.js" },
      files: ["plugin.js"],
    }),
    "plugins/opencode/plugin.js": opencodePlugin,
    "plugins/opencode/README.md": readme("opencode", '{ "plugin": ["parley-opencode"] }   in opencode.json'),
  };
}

const readme = (title: string, how: string) =>
  `# Parley for ${title}\n\n${ABOUT}\n\n\`\`\`\n${how}\n\`\`\`\n\nIt needs Parley itself (\`parley up\`), which it finds in \`PARLEY_HOME\`, else \`~/.local/state/parley\`; without it nothing happens.\nMade by \`npx bun scripts/build-plugins.ts\`.\n`;
