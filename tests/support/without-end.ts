import type { ServerResponse } from 'node:http'

const chunk = Buffer.alloc(64 * 1024, 'x')

/** Answers 200 with a body that continues as long as it is read. */
export function sendWithoutEnd(response: ServerResponse): void {
  const send = (): void => {
    if (!response.destroyed && response.write(chunk)) setImmediate(send)
  }
  response.on('drain', send)
  send()
}
