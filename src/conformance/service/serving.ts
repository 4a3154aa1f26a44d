import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'

/** One way of answering a download; `time` counts from 0 for the same address. */
export type Serving = (response: ServerResponse, archive: Buffer, time: number) => void | Promise<void>

/** As the service does: the whole archive, with its length. */
export const whole: Serving = (response, archive) =>
  void response.writeHead(200, { 'content-type': 'application/zip', 'content-length': archive.length }).end(archive)

/** Without a length beforehand. */
export const chunked: Serving = (response, archive) => {
  response.writeHead(200, { 'content-type': 'application/zip' })
  response.write(archive.subarray(0, archive.length >> 1))
  response.end(archive.subarray(archive.length >> 1))
}

/** Compressed once more, as HTTP can. */
export const compressed: Serving = (response, archive) =>
  void response.writeHead(200, { 'content-type': 'application/zip', 'content-encoding': 'gzip' }).end(gzipSync(archive))

export const status =
  (code: number, headers: Readonly<Record<string, string>> = {}): Serving =>
  (response) =>
    void response.writeHead(code, { 'content-type': 'application/json', ...headers }).end('{"error":"conformance"}')

/** A page in place of the archive, with status 200, as proxies answer. */
export const page: Serving = (response) =>
  void response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>Sign in</title>')

/** Half of the announced bytes, then nothing. */
export const cut: Serving = (response, archive) => {
  response.writeHead(200, { 'content-type': 'application/zip', 'content-length': archive.length })
  response.write(archive.subarray(0, archive.length >> 1), () => response.destroy())
}

/** Another way the first times, then the archive. */
export const onceMended =
  (times: number, first: Serving): Serving =>
  (response, archive, time) =>
    (time < times ? first : whole)(response, archive, time)

/** Takes its time before the first byte and in the middle. */
export const slowly =
  (pauseMs: number): Serving =>
  async (response, archive) => {
    await gone(response, pauseMs)
    response.writeHead(200, { 'content-type': 'application/zip', 'content-length': archive.length })
    response.write(archive.subarray(0, archive.length >> 1))
    await gone(response, pauseMs)
    response.end(archive.subarray(archive.length >> 1))
  }

/** Announces this many bytes, sends some, and waits until the other side goes, at most `holdMs`. */
export const announced =
  (bytes: number, holdMs: number): Serving =>
  async (response, archive) => {
    response.writeHead(200, { 'content-type': 'application/zip', 'content-length': bytes })
    response.write(archive)
    await gone(response, holdMs)
    response.destroy()
  }

/** Never even a header, at most for `holdMs`. */
export const silence =
  (holdMs: number): Serving =>
  async (response) => {
    await gone(response, holdMs)
    response.destroy()
  }

/** A byte each second, never to the end. */
export const drip =
  (holdMs: number): Serving =>
  async (response, archive) => {
    response.writeHead(200, { 'content-type': 'application/zip', 'content-length': 1_000_000 })
    let at = 0
    const timer = setInterval(
      () => response.write(archive.subarray(at % archive.length, (at++ % archive.length) + 1)),
      1000,
    )
    await gone(response, holdMs)
    clearInterval(timer)
    response.destroy()
  }

/** Sends up to `bytes` without announcing any, and tells how many went out before the other side had enough. */
export const flood =
  (bytes: number, tell: (sentBytes: number) => void): Serving =>
  async (response) => {
    response.writeHead(200, { 'content-type': 'application/zip' })
    const block = Buffer.alloc(256 * 1024, 0x50)
    const closed = once(response, 'close').catch(() => undefined)
    let sent = 0
    for (; sent < bytes && !response.destroyed; sent += block.length) {
      if (!response.write(block)) await Promise.race([once(response, 'drain'), closed])
    }
    tell(sent)
    response.end()
  }

async function gone(response: ServerResponse, holdMs: number): Promise<void> {
  const stop = new AbortController()
  await Promise.race([
    once(response, 'close', stop),
    delay(holdMs, undefined, { ref: false, signal: stop.signal }),
  ]).catch(() => undefined)
  stop.abort()
}
