import { createHash } from 'node:crypto'
import type { ServerResponse } from 'node:http'

import type { Has } from './faults.ts'
import type { PublicFiles } from './public-files.ts'
import { decoded, parsed } from './reading.ts'
import type { Reply } from './replies.ts'
import { refuse } from './replies.ts'
import { writtenState } from './written-state.ts'

/** Handles a page: publishes its media, records its version, answers with the state. */
export function createSaves(has: Has, files: PublicFiles) {
  const versions = new Map<string, string>()
  const lastUrls = new Map<string, ReadonlyMap<string, string>>()
  const pages = new Map<string, string>()
  const newest = new Map<string, number>()

  function failed(material: string, reason: string, status = 200): Reply {
    if (has('forgets-on-failure')) for (const url of lastUrls.get(material)?.values() ?? []) files.remove(url)
    if (has('bare-errors')) return { status: 500, body: 'Traceback' }
    return refuse(has('says-no-reason') ? '' : reason, status)
  }

  function store(material: string, entries: ReadonlyMap<string, Buffer>, payload: Record<string, unknown>): Reply {
    const [page, stateBytes] = [entries.get('vms_html.html'), entries.get('vms_json.json')]
    const [html, state] = [decoded(page), decoded(stateBytes)]
    if ((html === null || state === null) && !has('takes-pages-for-optional'))
      return failed(material, 'page or state is missing or unreadable')
    const urls = new Map<string, string>()
    for (const [name, bytes] of entries) {
      const inFolder =
        has('ignores-entry-names') && !name.startsWith('vms_') ? name : name.replace(/^vms_media[/\\]/, '')
      if (inFolder === name && !has('ignores-entry-names')) continue
      if (has('lists-image-types') && !/\.(png|jpe?g|svg|html)$/.test(name)) continue
      const known = has('flattens-folders') ? (inFolder.split('/').at(-1) ?? '') : inFolder
      urls.set(
        known,
        files.publish(
          known,
          has('follows-links') && bytes.toString() === '/etc/hostname' ? Buffer.from('the host') : bytes,
        ),
      )
    }
    const digest = createHash('sha256')
      .update(html ?? '')
      .update(stateBytes ?? '')
      .update([...urls.values()].join())
      .digest('hex')
    const metadata = metadataOf(entries, payload)
    const date = metadata['version_cdate']
    if (has('reads-one-date-form') && typeof date === 'string' && !/:\d\d\.\d{3}\+00:00$/.test(date))
      return { status: 500, body: 'Unexpected data found' }
    const dateMs = typeof date === 'string' ? Date.parse(date) : Number.NaN
    if (has('refuses-older-versions')) {
      if (dateMs < (newest.get(material) ?? 0)) return failed(material, 'older than the stored version')
      if (!Number.isNaN(dateMs)) newest.set(material, dateMs)
    }
    const version = JSON.stringify([material, metadata['version_id']])
    if ((versions.get(version) ?? digest) !== digest && !has('takes-any-version'))
      return failed(material, 'another content of a known version')
    if (state === null) return stored('{}')
    const written = writtenState(has, state, urls, has('lends-files') ? urlsOfAll() : new Map())
    if (written === null) return failed(material, 'the state cannot be used')
    versions.set(version, digest)
    if (has('forgets-earlier-media')) for (const url of lastUrls.get(material)?.values() ?? []) files.remove(url)
    lastUrls.set(material, urls)
    if (!has('publishes-later')) pages.set(material, pageWith(urls, html ?? ''))
    return stored(
      has('mixes-materials') ? withAllAssets(written) : written,
      has('echoes-debug') && payload['debug'] === true ? payload : undefined,
    )
  }

  /** The files of all materials. */
  const urlsOfAll = () => new Map([...lastUrls.values()].flatMap((urls) => [...urls]))

  /** The state with the assets of all materials. */
  function withAllAssets(state: string): string {
    const all = [...urlsOfAll()].map(([name, clientUrl]) => [name, { clientUrl }])
    const whole = JSON.parse(state) as { assets?: object }
    return JSON.stringify({ ...whole, assets: { ...Object.fromEntries(all), ...whole.assets } })
  }

  function stored(state: string, debug?: unknown): Reply {
    const vms = has('state-as-text') ? JSON.stringify(state) : state
    const more = debug === undefined ? '' : `,"debug_info":${JSON.stringify(debug)}`
    const data = has('no-state') ? '{}' : `{"vms_json":${vms}${more}}`
    const rm = has('no-rm') ? '' : ',"rm":"Saved successfully"'
    return { status: 200, body: `{"rc":${has('stringly-rc') ? '"1"' : '1'}${rm},"data":${data}}` }
  }

  const pageWith = (urls: ReadonlyMap<string, string>, html: string): string =>
    has('page-keeps-dummies')
      ? html
      : [...urls]
          .toSorted(([one], [other]) => (other.length - one.length) * (has('replaces-short-names-first') ? -1 : 1))
          .reduce((text, [name, url]) => text.replaceAll(`dummy-${name}`, () => url), html)

  function servePage(material: string, response: ServerResponse): void {
    const page = pages.get(material)
    response.writeHead(page === undefined ? 404 : 200, { 'content-type': 'text/html' }).end(page)
  }

  return { store, stored, failed, servePage }
}

function metadataOf(entries: ReadonlyMap<string, Buffer>, payload: Record<string, unknown>): Record<string, unknown> {
  const text = decoded(entries.get('metadata_json.json'))
  return (
    (text === null ? null : parsed(Buffer.from(text))) ?? (payload['metadata'] as Record<string, unknown> | null) ?? {}
  )
}
