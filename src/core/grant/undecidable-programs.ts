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
export const isFarReaching = (program: string): boolean =>
  FAR_REACHING.has(program.slice(program.lastIndexOf("/") + 1));

export const readsPrograms = (program: string): boolean =>
  READ_PROGRAMS.has(program.slice(program.lastIndexOf("/") + 1));

/** What it runs comes from somewhere else: no word of it is a script. */
export const readsScript = (program: string, args: readonly string[]): boolean =>
  SHELLS.has(program.slice(program.lastIndexOf("/") + 1)) && args.every((arg) => /^[-+]/.test(arg));

/** Other words of it are a command. */
export function runsOthers(program: string): boolean {
  const name = program.slice(program.lastIndexOf("/") + 1);
  return (RUN_OTHERS.has(name) && !OF_THE_SHELL.has(name)) || SHELLS.has(name) || name === "find";
}

/** Why a command that starts so is always asked about. Undefined: its words say what it does. */
export function undecidableProgram([program = "", ...args]: readonly string[]): string | undefined {
  const name = program.slice(program.lastIndexOf("/") + 1);
  if (!PROGRAM.test(program) || RESERVED.has(program)) return "its program is not a plain name";
  if (RUN_OTHERS.has(name)) return `“${name}” runs something else`;
  if (SHELLS.has(name) && args.some((arg) => /^[-+]/.test(arg))) return `“${name}” with options runs something else`;
  return undefined;
}
