// Addresses of a hub. No schema library: its page has none.

export const HUB_PATHS = {
  join: "/api/join",
  leave: "/api/leave",
  asks: "/api/asks",
  tasks: "/api/tasks",
  link: "/api/link",
  news: "/api/news",
  looking: "/api/looking",
  rules: "/api/rules",
  push: "/api/push",
  pushReply: "/api/push/reply",
} as const;
export const HUB_DOORS = {
  invited: "/page/invited",
  registerOptions: "/page/register-options",
  register: "/page/register",
  loginOptions: "/page/login-options",
  login: "/page/login",
  here: "/page/here",
  leave: "/page/leave",
  end: "/page/end",
  endToken: "/page/end-token",
  invite: "/page/invite",
} as const;
