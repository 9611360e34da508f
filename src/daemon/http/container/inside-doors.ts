import { rmSync } from "node:fs";
import { join } from "node:path";
import type { Task } from "../../../core/task/task.ts";
import { isHeldBy } from "../../../machine/process/connection-owner.ts";
import { insideOf } from "../../../machine/home.ts";
import { makePrivateDir } from "../../../machine/file/private-dir.ts";
import { checkFolderOf } from "../../../runner/ended/checks.ts";
import { supervisorOf } from "../../../runner/run/claim.ts";
import { folderOf } from "../../../runner/run/runs.ts";

type Listening = { stop(force?: boolean): Promise<void> };
type Deps = { home: string; listen(path: string, task: string): Listening };

/** The sockets that tasks in sandboxes see of this daemon, one for each that runs. */
export function createInsideDoors({ home, listen }: Deps) {
  const doors = new Map<string, { server: Listening; path: string; users: number; task: Task }>();

  return {
    /** Contract: as often as it is opened it is closed. */
    open(task: Task): void {
      const door = doors.get(task.id);
      if (door) return void Object.assign(door, { users: door.users + 1, task });
      const folder = insideOf(home, task.id);
      makePrivateDir(folder);
      const path = join(folder, "daemon.sock");
      // Left by the daemon before.
      rmSync(path, { force: true });
      doors.set(task.id, { server: listen(path, task.id), path, users: 1, task });
    },
    close({ id }: Task): void {
      const door = doors.get(id);
      if (!door || --door.users > 0) return;
      doors.delete(id);
      void door.server.stop(true);
      rmSync(door.path, { force: true });
    },
    /**
     * A sandbox with this machine's network reaches the port of page and API too: what comes from there is refused,
     * whatever token it brings.
     */
    isPeer(peer: { port: number } | null, port: number | undefined): boolean {
      const onHost = [...doors.values()].filter(({ task }) => task.order.sandbox?.network === "host");
      if (!peer || port === undefined || onHost.length === 0) return false;
      const folders = onHost.flatMap(({ task }) => [folderOf(home, task), checkFolderOf(home, task)]);
      return isHeldBy(
        folders.flatMap((folder) => supervisorOf(folder)?.pid ?? []),
        peer.port,
        port,
      );
    },
    async stop(force = false): Promise<void> {
      await Promise.all([...doors.values()].map(({ server }) => server.stop(force)));
    },
  };
}
