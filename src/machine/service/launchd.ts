type Wanted = { label: string; program: string; log: string; keep: Record<string, string | undefined> };

/** `parley down` ends it with 0, so that only a crash starts it again. */
export function plistOf({ label, program, log, keep }: Wanted): string {
  const names = Object.entries(keep).flatMap(([name, value]) =>
    value === undefined ? [] : [`    <key>${escaped(name)}</key>`, `    <string>${escaped(value)}</string>`],
  );
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">',
    '<plist version="1.0">',
    "<dict>",
    "  <key>Label</key>",
    `  <string>${escaped(label)}</string>`,
    "  <key>ProgramArguments</key>",
    "  <array>",
    `    <string>${escaped(program)}</string>`,
    "    <string>serve</string>",
    "  </array>",
    "  <key>RunAtLoad</key>",
    "  <true/>",
    "  <key>KeepAlive</key>",
    "  <dict>",
    "    <key>SuccessfulExit</key>",
    "    <false/>",
    "  </dict>",
    "  <key>StandardErrorPath</key>",
    `  <string>${escaped(log)}</string>`,
    "  <key>EnvironmentVariables</key>",
    "  <dict>",
    ...names,
    "  </dict>",
    "</dict>",
    "</plist>",
    "",
  ].join("\n");
}

const escaped = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
