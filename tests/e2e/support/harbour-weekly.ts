import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

import { siteDefaults } from '../../../packages/library/records/site-input.ts'
import type { Galley } from '../../support/open-galley.ts'
import { openGalley } from '../../support/open-galley.ts'
import { testWindow } from '../../support/test-window.ts'
import { aFolder, aFreePort, chooseInSwitcher, expectListener, startApp } from './app.ts'
import type { EditorContent } from './service.ts'
import { startEmulator } from './service.ts'
import { storyPictures } from './story-pictures.ts'

const demoFile = (name: string): Promise<Buffer> =>
  readFile(new URL(`../../../resources/demo/${name}`, import.meta.url))

/** Exports everything into a folder, as the window would. */
async function exportAll(galley: Galley, folder: string): Promise<void> {
  const { calls, chosen } = testWindow(galley)
  chosen.push(folder)
  const place = await calls.chooseExportTarget({ site: 'harbour', kind: 'folder' })
  const target = { kind: 'folder', chosen: place?.token ?? '' } as const
  const request = { site: 'harbour', materials: [], pins: [], target, baseUrl: null, check: 'warn' } as const
  const started = await calls.startExport({ ...request, materials: [], pins: [] })
  if (!started.ok) throw new Error(started.failure.code)
  await galley.tasks.ended(started.value.task)
  const end = galley.tasks.find(started.value.task)?.end
  if (end?.kind !== 'done') throw new Error(`The export ended as ${JSON.stringify(end)}`)
}

const hourMs = 3_600_000
/** A picture of one pixel, which only the first drafts of two stories have. */
const dot = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=='
export const lostPicture = { name: 'at-night-from-the-pier.png', of: ['food/bread-still-warm', 'culture/boat-names'] }

const people = ['anna.brandt@harbour.example', 'jonas.keller@harbour.example', 'mei.tanaka@harbour.example']

/** The stories of the Harbour Weekly, and how many hours ago each version was saved. */
const stories = [
  {
    id: 'travel/harbour-weekend',
    title: 'A weekend by the harbour',
    lead: 'harbour',
    savedHoursAgo: [74, 51, 26, 3, 0.4],
  },
  { id: 'food/market-at-nine', title: 'At nine, the market', lead: 'market', savedHoursAgo: [49, 2.2] },
  {
    id: 'travel/lighthouse-road',
    title: 'The lighthouse road, on foot',
    lead: 'lighthouse',
    savedHoursAgo: [27, 25, 7],
  },
  { id: 'people/net-makers', title: 'The last net makers of Pier 4', lead: 'nets', savedHoursAgo: [31] },
  { id: 'food/bread-still-warm', title: 'Bread that is still warm', lead: 'bread', savedHoursAgo: [78, 53] },
  { id: 'culture/boat-names', title: 'Why boats are called Klara', lead: 'paperBoats', savedHoursAgo: [340, 290, 288] },
  { id: 'service/tide-tables', title: 'Tide tables for November', lead: 'harbour', savedHoursAgo: [] },
] as const

export const storyTitles: readonly string[] = stories.map(({ title }) => title)

const leadOf = new Map(stories.map(({ title, lead }) => [title as string, lead]))

const storyStyle =
  'body{margin:0;background:#fffdf8;color:#23201b;font:21px/1.6 Georgia,serif}.story{max-width:900px;margin:0 auto;padding:56px 0}' +
  '.story h1{font-size:58px;line-height:1.1;margin:0 0 12px}.story figure{margin:28px 0}.story img{display:block;width:100%}'

/** Headings are set in a family of the site's fonts; one story names a family that is in no set. */
const styleOf = (title: string): string =>
  `${storyStyle}.story h1{font-family:${title.startsWith('Why boats') ? '"Harbour Script"' : 'Inter'},serif}`

/** Heading and pictures of a draft; every other one begins with its picture, so that drafts look different. */
function storyParts(title: string, version: number): readonly string[] {
  const heading = `<h1>${title}</h1><p>Draft ${version + 1}.</p>`
  const [lead, market] = ['lead', 'market'].map((name) => `<figure><img src="dummy-${name}.svg" alt=""></figure>`)
  return version % 2 === 0 ? [heading, `${lead}`, `${market}`] : [`${lead}`, heading, `${market}`]
}

/** The text below the pictures; each draft has a little more than the previous one. */
const storyText = (version: number): string =>
  [
    'People who work by the water are up before it is light, and so were we.',
    `We stayed for ${version + 1} days, in a room over the quay that costs ${18 + version * 3} marks.`,
    'Bring a coat, small change, and more time than you think.',
    'The last ferry leaves at nine; whoever misses it has the stars to themselves.',
    ...(version > 1 ? ['A reader writes that the old pier stays closed until spring.'] : []),
    ...(version > 2 ? ['Corrected: the market opens at nine, not at eight.'] : []),
  ]
    .map((text) => `<p>${text}</p>`)
    .join('')

/**
 * A library like that of an editorial office after two weeks, written by the product itself: the emulator opens
 * sessions and sends saves, and the listener receives them. Only the clock is changed.
 */
export async function fillLibrary(library: string, port: number, secret: string) {
  let nowMs = Date.now()
  const now = () => new Date(nowMs)
  const emulator = await startEmulator({ secret, now })
  const galley = await openGalley({
    folder: library,
    secrets: { environment: { GALLEY_SECRET_HARBOUR: secret, GALLEY_SECRET_CITY: secret } },
    now,
  })
  const [harbour, market, font] = await Promise.all([
    demoFile('harbour.svg').then(String),
    demoFile('market.svg').then(String),
    demoFile('inter-latin.woff2').then((bytes) => bytes.toString('base64')),
  ])
  const callbackUrl = `http://127.0.0.1:${port}/callback/harbour`
  const letters = { 'inter-latin.woff2': font }
  const face = (family: string, style: string, file = 'inter-latin.woff2'): string =>
    `@font-face{font-family:"${family}";font-weight:100 900;font-style:${style};src:url(dummy-${file}) format("woff2")}`
  const leads = { harbour, market, ...storyPictures }
  const content = (title: string, version: number, id = ''): EditorContent => ({
    html: `<style>${styleOf(title)}</style><article class="story">${storyParts(title, version).join('')}${storyText(version)}</article>`,
    state: { blocks: [{ type: 'heading', text: title }], draft: version + 1, assets: {} },
    files: {
      'lead.svg': Buffer.from(leads[leadOf.get(title) ?? 'harbour']).toString('base64'),
      'market.svg': Buffer.from(market + ' '.repeat(1 + version * 900)).toString('base64'),
      ...(version > 0 && { 'inter-latin.woff2': font }),
      ...(version === 0 && lostPicture.of.includes(id) && { [lostPicture.name]: dot }),
    },
    user_email: people[(version + title.length) % people.length] ?? '',
  })

  try {
    // If the time changed during a test, so would the screens.
    galley.settings.change({ backups: { folder: null, everyDays: null } })
    const state = await galley.listener.start('127.0.0.1', port)
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
      const { result } = await emulator.save(sessions.get(id) ?? '', content(title, version, id))
      if (result !== 'merged') throw new Error(`${id} was not saved`)
    }
    // In chronological order: a material is as old as its last save.
    const events = [
      ...stories.flatMap(({ id, title, savedHoursAgo }) => [
        { hoursAgo: Math.max(1.5, ...savedHoursAgo) + 0.5, happen: () => openIt(id, title) },
        ...savedHoursAgo.map((hoursAgo, version) => ({ hoursAgo, happen: () => saveIt(id, title, version) })),
      ]),
      {
        hoursAgo: 300,
        happen: async () =>
          void (await emulator.saveFonts(callbackUrl, { files: letters, css: face('Inter', 'normal') })),
      },
      {
        hoursAgo: 29,
        async happen() {
          const css =
            face('Inter', 'normal') + face('Inter', 'italic') + face('Harbour Slab', 'normal', 'harbour-slab.woff2')
          await emulator.saveFonts(callbackUrl, {
            files: { ...letters, 'spare.woff2': letters['inter-latin.woff2'] },
            css,
          })
        },
      },
      {
        hoursAgo: 1,
        async happen() {
          const stranger = await emulator.openPastGalley('imported/release', callbackUrl)
          await emulator.save(stranger.fingerprint, content('A press release', 0))
        },
      },
    ]
    for (const hoursAgo of [20, 0.2]) {
      events.push({ hoursAgo, happen: () => exportAll(galley, join(library, '..', 'harbour-weekly')) })
    }
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

/** A window on the Harbour Weekly. `again` reopens its library after the first window is closed. */
export async function startHarbourWeekly() {
  const port = await aFreePort()
  const library = join(await aFolder(), 'library')
  const profile = await aFolder()
  const { environment, chosen } = await fillLibrary(library, port, 'secret of the weekly')
  const again = () => startApp({ library, port, environment, profile })
  const started = await again()
  await expectListener(started.page, 'Listening')
  await chooseInSwitcher(started.page, /Harbour Weekly/)
  await started.page.getByRole('menu').waitFor({ state: 'detached' })
  return { ...started, library, chosen, again }
}
