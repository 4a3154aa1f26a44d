import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'

/** Answers a download; `time` counts requests for the same URL from 0. */
export type DownloadHandler = (response: ServerResponse, archive: Buffer, time: number) => void | Promise<void>

/** The whole archive with its length, like the service. */
export const whole: DownloadHandler = (response, archive) =>
  void response.writeHead(200, { 'content-type': 'application/zip', 'content-length': archive.length }).end(archive)

/** Without Content-Length. */
export const chunked: DownloadHandler = (response, archive) => {
  response.writeHead(200, { 'content-type': 'application/zip' })
  response.write(archive.subarray(0, archive.length >> 1))
  response.end(archive.subarray(archive.length >> 1))
}

/** With an HTTP content encoding. */
export const compressed: DownloadHandler = (response, archive) =>
  void response.writeHead(200, { 'content-type': 'application/zip', 'content-encoding': 'gzip' }).end(gzipSync(archive))

export const status =
  (code: number, headers: Readonly<Record<string, string>> = {}): DownloadHandler =>
  (response) =>
    void response.writeHead(code, { 'content-type': 'application/json', ...headers }).end('{"error":"conformance"}')

/** An HTML page with status 200, as proxies send it. */
export const page: DownloadHandler = (response) =>
  void response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>Sign in</title>')

/** Half of the announced bytes, then the connection ends. */
export const cut: DownloadHandler = (response, archive) => {
  response.writeHead(200, { 'content-type': 'application/zip', 'content-length': archive.length })
  response.write(archive.subarray(0, archive.length >> 1), () => response.destroy())
}

/** Answers the first requests differently, then serves the archive. */
export const recoveringFrom =
  (times: number, first: DownloadHandler): DownloadHandler =>
  (response, archive, time) =>
    (time < times ? first : whole)(response, archive, time)

/** Pauses before the first byte and in the middle. */
export const slowly =
  (pauseMs: number): DownloadHandler =>
  async (response, archive) => {
    await gone(response, pauseMs)
    response.writeHead(200, { 'content-type': 'application/zip', 'content-length': archive.length })
    response.write(archive.subarray(0, archive.length >> 1))
    await gone(response, pauseMs)
    response.end(archive.subarray(archive.length >> 1))
  }

/** Announces this many bytes, sends some, then waits for the client to leave, at most `holdMs`. */
export const announced =
  (bytes: number, holdMs: number): DownloadHandler =>
  async (response, archive) => {
    response.writeHead(200, { 'content-type': 'application/zip', 'content-length': bytes })
    response.write(archive)
    await gone(response, holdMs)
    response.destroy()
  }

/** Sends no response at all, at most for `holdMs`. */
export const silence =
  (holdMs: number): DownloadHandler =>
  async (response) => {
    await gone(response, holdMs)
    response.destroy()
  }

/** Sends a byte per second and never ends. */
export const drip =
  (holdMs: number): DownloadHandler =>
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

/** Sends up to `bytes` without Content-Length, and reports how many were sent when the client disconnected. */
export const flood =
  (bytes: number, onEnd: (sentBytes: number) => void): DownloadHandler =>
  async (response) => {
    response.writeHead(200, { 'content-type': 'application/zip' })
    const block = Buffer.alloc(256 * 1024, 0x50)
    const closed = once(response, 'close').catch(() => undefined)
    let sent = 0
    for (; sent < bytes && !response.destroyed; sent += block.length) {
      if (!response.write(block)) await Promise.race([once(response, 'drain'), closed])
    }
    onEnd(sent)
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
