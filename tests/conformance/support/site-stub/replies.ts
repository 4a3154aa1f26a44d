/** The answers of the stub. */
export interface Reply {
  readonly status: number
  readonly body: string
}

export const reply = (status: number, body: unknown): Reply => ({ status, body: JSON.stringify(body) })
export const refuse = (rm: string, status = 200): Reply => reply(status, { rc: 0, rm })
