/** They run other words as a command, as somebody else, or in another place: what they do is not in their name. */
const RUN_OTHERS = new Set(
  `sudo sudoedit doas su pkexec run0 eval exec source . command builtin env xargs parallel nohup setsid nice ionice
  timeout time stdbuf watch script flock runuser unbuffer setpriv fakeroot ssh chroot unshare nsenter systemd-run strace ltrace busybox toybox at batch crontab
  trap alias unalias set shopt enable hash export declare typeset local readonly unset read mapfile cd pushd popd
  umask ulimit exit return noglob nocorrect autoload zmodload emulate`.split(/\s+/),
);
const SHELLS = new Set(["sh", "bash", "zsh", "dash", "ksh", "mksh", "ash", "fish", "csh", "tcsh", "pwsh"]);
/** They mean something else to a shell where they stand first. */
const PROGRAM = /^[\p{L}\p{N}_./@+][\p{L}\p{N}_./@+-]*$/u;
const RESERVED = new Set(
  `if then else elif fi case esac for select while until do done in function coproc repeat foreach end nocorrect`.split(
    " ",
  ),
);

/** They change the shell that runs them, and start nothing. */
const OF_THE_SHELL = new Set(
  `cd pushd popd set shopt enable hash export declare typeset local readonly unset read mapfile umask ulimit exit return
  alias unalias`.split(/\s+/),
);

/** An argument of theirs may be a program, an address or a place elsewhere: none of them is left open. */
const READ_PROGRAMS = new Set(
  `sed gsed awk gawk mawk nawk perl ruby python python3 node bun deno php lua tclsh osascript make gmake just sqlite3 psql
  mysql mariadb mongosh redis-cli ed ex vi vim nvim emacs nano less more man gdb lldb expect m4 bc dc printf test [ let
  integer float readarray fc bind complete compgen wait kill jobs scp rsync sftp tar zip unzip cpio dd curl wget go npx bunx
  pnpx uvx docker podman kubectl terraform ansible rm mv ln install tee chmod chown`.split(/\s+/),
);
/** They take things away, change what runs, or reach other machines: nobody allows them among others without a look. */
const FAR_REACHING = new Set(
  `rm rmdir unlink mv dd shred truncate mkfs chmod chown chgrp kill pkill killall systemctl service shutdown reboot mount umount
  curl wget http nc ncat socat scp rsync sftp ftp ssh docker podman nerdctl kubectl helm terraform tofu pulumi ansible
  ansible-playbook psql mysql mariadb mongosh redis-cli sqlite3 aws gcloud az doctl gh glab heroku flyctl fly vercel netlify
  wrangler firebase supabase stripe apt apt-get dnf yum pacman brew snap twine gem`.split(/\s+/),
);
/** They print or look for their words, and run none of them. */
const SAY_ONLY = new Set(["echo", "printf", "grep", "egrep", "fgrep", ":", "true", "false", "test", "["]);

/** Without its folder; some disks know no case. */
export const programName = (program: string): string => program.slice(program.lastIndexOf("/") + 1).toLowerCase();
/** `python3.12`, `perl5.36.0`, `pip-3`: the same program in one of its versions. */
const isOf = (names: ReadonlySet<string>, program: string): boolean => {
  const name = programName(program);
  return names.has(name) || names.has(name.replace(/[-.]?\d[\d.]*$/, ""));
};

export const isFarReaching = (program: string): boolean => isOf(FAR_REACHING, program);
export const readsPrograms = (program: string): boolean => isOf(READ_PROGRAMS, program) || isOf(SHELLS, program);
export const saysOnly = (program: string): boolean => SAY_ONLY.has(programName(program));
export const startsNothing = (program: string): boolean => OF_THE_SHELL.has(programName(program));
/** What it runs gets more words from its input. */
export const feedsOthers = (program: string): boolean => ["xargs", "parallel"].includes(programName(program));

/** What it runs comes from somewhere else: no word of it is a script. */
export const readsScript = (program: string, args: readonly string[]): boolean =>
  (isOf(SHELLS, program) && args.every((arg) => /^[-+]/.test(arg))) ||
  (isOf(SHELLS, program) || [".", "source"].includes(program)
    ? args.some((arg) => /^\/(?:dev\/(?:stdin|fd\/)|proc\/)/.test(arg))
    : false);

/** Other words of it are a command. */
export const runsOthers = (program: string): boolean =>
  (isOf(RUN_OTHERS, program) && !startsNothing(program)) || isOf(SHELLS, program) || programName(program) === "find";

/** Why a command that starts so is always asked about. Undefined: its words say what it does. */
export function undecidableProgram([program = "", ...args]: readonly string[]): string | undefined {
  const name = programName(program);
  if (!PROGRAM.test(program) || RESERVED.has(program)) return "its program is not a plain name";
  if (isOf(RUN_OTHERS, program)) return `“${name}” runs something else`;
  if (isOf(SHELLS, program) && args.some((arg) => /^[-+]/.test(arg)))
    return `“${name}” with options runs something else`;
  return undefined;
}
