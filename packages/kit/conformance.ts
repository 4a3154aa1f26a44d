import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { whyUnreachable } from './drive/reachability.ts'
import { createRun } from './drive/run.ts'
import type { Options } from './options.ts'
import { member, readExactly, stringIn } from './protocol/exact-json.ts'
import { isLoopback } from './protocol/hosts.ts'
import type { Report } from './report/report.ts'
import { openTimeoutMs, runCases } from './run-cases.ts'
import type { ArchiveServer } from './service/archive-server.ts'
import { CannotListen, startArchiveServer } from './service/archive-server.ts'

/** Why nothing could be tested. */
export interface NoRun {
  readonly kind: 'cannot_listen' | 'site_unreachable' | 'nothing_opened'
  readonly message: string
}

/** Runs every selected case against a site backend and judges its answers, downloads and public files. */
export async function runConformance(options: Options): Promise<Report | NoRun> {
  const open: ArchiveServer[] = []
  const folder = await mkdtemp(join(tmpdir(), 'galley-conformance-'))
  try {
    // The backend may run as another user and must still be able to write here when a file name escapes its folder.
    await chmod(folder, 0o777)
    const service = await startArchiveServer(listeningAddress(options.baseUrl.hostname), options.port)
    open.push(service)
    const foreignOrigin = await startArchiveServer('127.0.0.1', 0)
    open.push(foreignOrigin)
    const unreachable = await whyUnreachable(options, options.signal)
    if (unreachable !== null) return { kind: 'site_unreachable', message: unreachable }
    const planted = { folder, isVisible: options.sameDisk }
    const stop = new AbortController()
    const signal = AbortSignal.any([options.signal, stop.signal])
    const opened = options.waitForOpen ? await openedMaterial(service, options.signal) : null
    if (options.waitForOpen && opened === null) return { kind: 'nothing_opened', message: nothingOpened }
    const judged = opened === null ? options : { ...options, materials: [opened] }
    return await runCases(judged, createRun(judged, service, foreignOrigin, planted, signal), () => stop.abort())
  } catch (error) {
    if (error instanceof CannotListen) return { kind: 'cannot_listen', message: error.message }
    throw error
  } finally {
    for (const server of open) await server.close()
    await rm(folder, { recursive: true, force: true })
  }
}

/** The material_id of the first opened session; null when none is opened in time. */
async function openedMaterial(service: ArchiveServer, signal: AbortSignal): Promise<string | null> {
  await service.firstOpen(openTimeoutMs, signal)
  const [open] = service.opens
  const material = open && stringIn(member(readExactly(open.body) ?? undefined, 'material_id'))
  return material === undefined || material === '' ? null : material
}

const nothingOpened = `No session with a material_id was opened within ${openTimeoutMs / 1000} s. While the kit waits, open a material in a backend that uses the kit’s base URL.`

/**
 * The address of this machine that a base URL leads to; undefined for every address, of IPv6 as well where there is any:
 * names and addresses of other machines lead here over a network or a tunnel.
 */
function listeningAddress(hostname: string): string | undefined {
  if (hostname === 'localhost') return '127.0.0.1'
  return isLoopback(hostname) ? hostname.replace(/^\[|\]$/g, '') : undefined
}
