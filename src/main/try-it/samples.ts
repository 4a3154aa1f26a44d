import type { Sessions, SiteSettings } from '@galley/library'
import { sampleSite, siteDefaults } from '@galley/library/records'
import { httpClient } from '@galley/platform'
import { demoContent } from '@galley/service'
import type { MaterialId } from '@galley/wire'

import { kitBaseUrl } from '../../ipc/developer.ts'

export interface SampleEdges {
  readonly sites: Pick<SiteSettings, 'save'>
  readonly sessions: Pick<Sessions, 'open'>
  /** The images and fonts of the samples. */
  readonly demoFolder: string
}

const { id: site, apiKey } = sampleSite

/** Adds the demo site, whose service is the emulator at `baseUrl`. */
export async function addDemoSite(sites: SampleEdges['sites'], baseUrl: string, callbackUrl: string): Promise<void> {
  const input = {
    ...siteDefaults,
    id: site,
    name: 'Harbour Weekly (demo)',
    environment: 'dev' as const,
    baseUrl,
    apiKey,
    callbackUrl,
    allowedDomains: [],
    // For trying the kit on it, which serves archives of its own.
    downloadOrigins: [new URL(kitBaseUrl).origin],
  }
  const saved = await sites.save(input, null)
  if (!saved.ok) throw new Error(`the demo site was not saved: ${saved.failure.code}`)
}

/** Opens the demo materials, and makes the emulator save some of them and a font set. */
export async function addSamples(edges: SampleEdges, emulatorUrl: string, callbackUrl: string): Promise<void> {
  const { first, second, fonts } = await demoContent(edges.demoFolder)
  const save = (fingerprint: string, what: unknown) =>
    post(`${emulatorUrl}/_emulator/sessions/${fingerprint}/save`, what)
  const weekend = await open(edges, 'stories/harbour-weekend', 'A weekend by the harbour')
  await save(weekend, first)
  await save(weekend, second)
  const market = { ...first, html: first.html.replaceAll('A weekend by the harbour', 'A morning at the market') }
  await save(await open(edges, 'stories/market-morning', 'A morning at the market'), market)
  await open(edges, 'stories/ferry-times', 'Ferry times in autumn')
  await post(`${emulatorUrl}/_emulator/fonts`, { material_id: 'site-fonts', callback_url: callbackUrl, ...fonts })
}

async function open({ sessions }: SampleEdges, materialId: MaterialId, title: string): Promise<string> {
  const opened = await sessions.open({
    site,
    materialId,
    title,
    slug: materialId.replace(/.*\//, ''),
    metadata: null,
  })
  if (!opened.ok) throw new Error(`a sample could not be opened: ${opened.failure.code}`)
  return opened.value.fingerprint
}

async function post(url: string, body: unknown): Promise<void> {
  const { request } = await httpClient()
  const answer = await request(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    reset: true,
  })
  const { result } = (await answer.body.json()) as { readonly result?: string }
  if (result !== 'merged') throw new Error('a sample was not accepted')
}
