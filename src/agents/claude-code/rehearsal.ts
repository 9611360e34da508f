/** A command at its dialog, as 2.1.325 sends it, with all that a call may have that is not asked about. */
export const rehearsal = (session: string, cwd: string, command: string): Record<string, unknown> => ({
  session_id: session,
  transcript_path: `${cwd}/.${session}.jsonl`,
  cwd,
  prompt_id: session,
  permission_mode: "default",
  hook_event_name: "PermissionRequest",
  tool_name: "Bash",
  tool_input: { command, description: "" },
  permission_suggestions: [],
});
