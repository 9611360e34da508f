/**
 * The launcher is given to the shell that runs it anyway: systemd takes no program with a quote in its path.
 * `parley down` ends it with 0, so that only a crash starts it again; it also tells hooks not to start another one.
 */
export function unitOf(program: string, keep: Record<string, string | undefined>): string {
  return [
    "[Unit]",
    "Description=Parley, one inbox for the questions your coding agents ask",
    "",
    "[Service]",
    "Type=exec",
    `ExecStart=/bin/sh ${commandWord(program)} serve`,
    `ExecStop=/bin/sh ${commandWord(program)} down`,
    "Restart=on-failure",
    "RestartSec=100ms",
    // Agents of tasks outlive a daemon that is replaced: the next one finds them.
    "KillMode=process",
    ...Object.entries(keep).flatMap(([name, value]) =>
      value === undefined ? [] : [`Environment=${quoted(`${name}=${value}`)}`],
    ),
    "",
    "[Install]",
    "WantedBy=default.target",
    "",
  ].join("\n");
}

/** In a command `$` begins a variable; everywhere `%` means something. */
const commandWord = (text: string) => quoted(text).replaceAll("$", "$$$$");
const quoted = (text: string) =>
  `"${text.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n").replaceAll("%", "%%")}"`;
