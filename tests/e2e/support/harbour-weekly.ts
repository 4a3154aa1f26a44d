import { readFile } from 'node:fs/promises'

import { siteDefaults } from '../../../src/contract/site-input.ts'
import { createGalley } from '../../../src/main/galley.ts'
import type { EditorContent } from './service.ts'
import { startEmulator } from './service.ts'

const demoFile = (name: string): Promise<Buffer> =>
  readFile(new URL(`../../../resources/demo/${name}`, import.meta.url))

const hourMs = 3_600_000
const people = ['anna.brandt@harbour.example', 'jonas.keller@harbour.example', 'mei.tanaka@harbour.example']

/** What was written at the Harbour Weekly, and how many hours ago each version was saved. */
const stories = [
  { id: 'travel/harbour-weekend', title: 'A weekend by the harbour', savedHoursAgo: [74, 51, 26, 3, 0.4] },
  { id: 'food/market-at-nine', title: 'At nine, the market', savedHoursAgo: [49, 2.2] },
  { id: 'travel/lighthouse-road', title: 'The lighthouse road, on foot', savedHoursAgo: [27, 25, 7] },
  { id: 'people/net-makers', title: 'The last net makers of Pier 4', savedHoursAgo: [31] },
  { id: 'food/bread-still-warm', title: 'Bread that is still warm', savedHoursAgo: [78, 53] },
  { id: 'culture/boat-names', title: 'Why boats are called Klara', savedHoursAgo: [340, 290, 288] },
  { id: 'service/tide-tables', title: 'Tide tables for November', savedHoursAgo: [] },
] as const

/**
 * A library as an editorial office fills it in two weeks, written by the product itself: sessions opened and saves
 * sent by the emulator, received by the listener, with only the clock moved.
 */
export async function fillLibrary(library: string, port: number, secret: string) {
  let nowMs = Date.now()
  const now = () => new Date(nowMs)
  const emulator = await startEmulator({ secret, now })
  const galley = await createGalley({
    folder: library,
    secrets: { environment: { GALLEY_SECRET_HARBOUR: secret, GALLEY_SECRET_CITY: secret } },
    workerScript: new URL('../../../src/main/archive/worker.ts', import.meta.url),
    version: '0.0.0-test',
    now,
    log: () => {},
  })
  const [harbour, market, font] = await Promise.all(
    ['harbour.svg', 'market.svg', 'inter-latin.woff2'].map((name) => demoFile(name)),
  )
  const callbackUrl = `http://127.0.0.1:${port}/callback/harbour`
  const content = (title: string, version: number): EditorContent => ({
    html:
      `<article class="story"><h1>${title}</h1><p>Draft ${version + 1}.</p>` +
      '<figure><img src="dummy-harbour.svg" alt=""></figure><figure><img src="dummy-market.svg" alt=""></figure></article>',
    state: { blocks: [{ type: 'heading', text: title }], draft: version + 1, assets: {} },
    files: {
      'harbour.svg': `${harbour?.toString('base64')}`,
      'market.svg': Buffer.concat([market ?? Buffer.alloc(0), Buffer.alloc(1 + version * 900, 0x20)]).toString(
        'base64',
      ),
      ...(version > 0 && { 'inter-latin.woff2': `${font?.toString('base64')}` }),
    },
    user_email: people[(version + title.length) % people.length] ?? '',
  })

  try {
    const state = await galley.startListener('127.0.0.1', port)
    if (state.kind !== 'listening') throw new Error('The listener did not start')
    for (const [id, name, environment] of [
      ['harbour', 'Harbour Weekly', 'prod'],
      ['city', 'City Letters', 'dev'],
    ] as const) {
      const site = { ...siteDefaults, allowedDomains: [], downloadOrigins: [], id, name, environment }
      const addresses = { baseUrl: emulator.baseUrl, apiKey: emulator.apiKey }
      const saved = await galley.sites.save(
        { ...site, ...addresses, callbackUrl: `http://127.0.0.1:${port}/callback/${id}` },
        null,
      )
      if (!saved.ok) throw new Error('The site was not saved')
    }
    const startMs = nowMs
    const sessions = new Map<string, string>()
    const openIt = async (id: string, title: string) => {
      const opened = await galley.sessions.open({ site: 'harbour', materialId: id, title, slug: null, metadata: null })
      if (!opened.ok) throw new Error(`${id} was not opened`)
      sessions.set(id, opened.value.fingerprint)
    }
    const saveIt = async (id: string, title: string, version: number) => {
      const { result } = await emulator.save(sessions.get(id) ?? '', content(title, version))
      if (result !== 'merged') throw new Error(`${id} was not saved`)
    }
    // In the order it happened: a material is as old as its last save.
    const events = [
      ...stories.flatMap(({ id, title, savedHoursAgo }) => [
        { hoursAgo: Math.max(1.5, ...savedHoursAgo) + 0.5, happen: () => openIt(id, title) },
        ...savedHoursAgo.map((hoursAgo, version) => ({ hoursAgo, happen: () => saveIt(id, title, version) })),
      ]),
      { hoursAgo: 29, happen: async () => void (await emulator.saveFonts(callbackUrl)) },
      {
        hoursAgo: 1,
        async happen() {
          const stranger = await emulator.openPastGalley('imported/release', callbackUrl)
          await emulator.save(stranger.fingerprint, content('A press release', 0))
        },
      },
    ]
    for (const { hoursAgo, happen } of events.toSorted((one, other) => other.hoursAgo - one.hoursAgo)) {
      nowMs = startMs - hoursAgo * hourMs
      await happen()
    }
  } finally {
    await galley.close()
  }
  return {
    chosen: stories[0].title,
    environment: { GALLEY_SECRETS: 'env', GALLEY_SECRET_HARBOUR: secret, GALLEY_SECRET_CITY: secret },
  }
}
