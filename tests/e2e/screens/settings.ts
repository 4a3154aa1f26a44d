import type { Page } from 'playwright'

import { siteDefaults } from '../../../packages/library/records/site-input.ts'
import type { SiteSummary } from '../../../packages/library/records/site.ts'
import { ok } from '../../../packages/wire/result.ts'
import type { KitReport } from '../../../src/ipc/developer.ts'
import { openDialog } from '../support/dialogs.ts'
import { showSection } from '../support/settings.ts'
import type { ScreenState } from './state.ts'

/** Closes a dialog in which something was typed. */
export async function discard(page: Page): Promise<void> {
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').getByRole('button', { name: 'Discard' }).click()
  await page.locator(openDialog).waitFor({ state: 'detached' })
}

/** The site of the Harbour Weekly, in the form that a window gets. */
const harbour: SiteSummary = {
  ...siteDefaults,
  id: 'harbour',
  name: 'Harbour Weekly',
  baseUrl: 'https://layout.example/integration',
  apiKey: 'harbour-key',
  callbackUrl: 'https://cms.example/callback/harbour',
  allowedDomains: [],
  downloadOrigins: [],
  publish: { kind: 'listener' },
  secret: 'stored',
  isSecretTried: true,
  bucketKeys: null,
  isConfirmed: true,
  allowHttp: false,
}

const outcome = { theme: 'Signature', expected: 'a refusal, and no download', reason: null, ms: 5 } as const
const rule = 'contract, Authentication 3: verify the signature before anything else'

/** A report in which a rule of the contract is broken. */
const kitReport: KitReport = {
  kind: 'report',
  callbackUrl: 'https://cms.example/callback/harbour',
  isPassing: false,
  cutShort: null,
  stored: [{ what: 'post-1', times: 41, lastVersion: 'v41' }],
  outcomes: [
    {
      ...outcome,
      case: { id: 'signature-right', name: 'A right signature is accepted', rule, severity: 'breaks the contract' },
      result: 'passed',
      got: 'rc 1',
    },
    {
      ...outcome,
      case: { id: 'signature-not-told', name: 'The refusal reveals no secret', rule, severity: 'unwise' },
      result: 'failed',
      got: 'the refusal contains the signature',
    },
    {
      ...outcome,
      case: { id: 'signature-wrong', name: 'A callback with a wrong signature is refused', rule, severity: 'unsafe' },
      result: 'failed',
      got: 'HTTP 200 with rc 1, after a download',
      evidence: ['POST /callback/harbour', 'answer: HTTP 200 {"rc":1}'],
    },
    {
      ...outcome,
      case: { id: 'media-on-page', name: 'The page shows the media', rule, severity: 'breaks the contract' },
      result: 'unchecked',
      got: 'not run',
      reason: 'needs --page',
    },
  ],
}

const narrow = [900, 800] as const
const close = (page: Page): Promise<void> => page.keyboard.press('Escape')

export const settingsStates: readonly ScreenState[] = [
  {
    name: 'settings-update',
    calls: {
      updateState: {
        answers: {
          version: '0.1.0',
          off: null,
          checkedAt: '2026-11-30T09:00:00.000Z',
          problem: null,
          offer: {
            version: '0.2.0',
            date: '2026-11-29T10:00:00.000Z',
            news: {
              en: 'Exports of large sites take half the time.\n\nA version can be approved from its comparison.',
              ru: 'Экспорт больших сайтов занимает вдвое меньше времени.\n\nВерсию можно одобрить прямо из сравнения.',
            },
            isSkipped: false,
            step: 'offered',
            done: 0,
          },
        },
      },
    },
    async show(page, { app }) {
      // Each change of the settings tells the window of the real state.
      await app.evaluate(({ BrowserWindow }) => {
        for (const { webContents } of BrowserWindow.getAllWindows()) {
          const { send } = webContents
          webContents.send = (channel, ...told) => told[0] !== 'updates' && send.call(webContents, channel, ...told)
        }
      })
      await page.reload()
      await showSection(page, 'Startup and notifications')
      await page.getByRole('button', { name: 'Skip this version' }).waitFor()
      // It keeps the language in which it was shown.
      await page.getByRole('button', { name: 'Dismiss' }).click()
      await page.getByRole('button', { name: 'What’s new' }).waitFor({ state: 'detached' })
    },
    async leave(page, { app }) {
      await app.evaluate(({ BrowserWindow }) => {
        for (const { webContents } of BrowserWindow.getAllWindows()) Reflect.deleteProperty(webContents, 'send')
      })
      await page.reload()
    },
  },
  {
    name: 'settings-sites',
    async show(page) {
      await showSection(page, 'Sites')
      await page.getByRole('button', { name: 'Test: Harbour Weekly' }).click()
      await page.getByText('The callback URL reaches this computer.').waitFor()
    },
  },
  {
    name: 'settings-sites-empty',
    isEmptyLibrary: true,
    async show(page) {
      await showSection(page, 'Sites')
      await page.getByText('No sites yet').waitFor()
    },
  },
  {
    name: 'settings-sites-loading',
    calls: { listSites: 'waits' },
    async show(page) {
      await showSection(page, 'Sites')
      await page.reload()
      await page.getByRole('region', { name: 'Settings' }).getByRole('status', { name: 'Loading' }).waitFor()
    },
    leave: (page) => page.getByRole('button', { name: 'Test: Harbour Weekly' }).waitFor(),
  },
  {
    name: 'settings-sites-failed',
    calls: { listSites: 'fails' },
    async show(page) {
      await showSection(page, 'Sites')
      await page.keyboard.press('Control+r')
      await page.getByText('The sites could not be read').waitFor()
    },
    async leave(page) {
      await page.getByRole('button', { name: 'Try again' }).click()
      await page.getByRole('button', { name: 'Test: Harbour Weekly' }).waitFor()
    },
  },
  {
    name: 'settings-sites-unconfirmed',
    calls: { listSites: { answers: [{ ...harbour, secret: 'missing', isConfirmed: false }] } },
    async show(page) {
      await showSection(page, 'Sites')
      await page.reload()
      await page.getByRole('region', { name: 'Settings' }).getByText('Addresses not confirmed').waitFor()
    },
    async leave(page) {
      await page.reload()
      await page.getByText('Addresses not confirmed').waitFor({ state: 'detached' })
    },
  },
  {
    name: 'settings-sites-import',
    calls: {
      readSitesFile: {
        answers: ok({
          token: '',
          sites: [
            {
              id: 'harbour',
              name: 'Harbour Weekly',
              problem: null,
              plain: [],
              settings: {
                baseUrl: 'https://layout.example/integration',
                callbackUrl: 'https://cms.example/callback/harbour',
                publish: 'folder:/srv/www/media',
              },
              replaces: {
                baseUrl: 'https://old.example/integration',
                callbackUrl: 'https://cms.example/callback/harbour',
                publish: 'listener',
              },
            },
            {
              id: 'ferry',
              name: 'Ferry Times',
              problem: null,
              replaces: null,
              plain: [],
              settings: {
                baseUrl: 'https://layout.example/integration',
                callbackUrl: 'https://ferry.example/callback/ferry',
                publish: 's3:ferry-media/public',
              },
            },
            {
              id: 'old',
              name: 'Old one',
              problem: { field: 'baseUrl', state: 'baseUrl' },
              replaces: null,
              plain: [],
              settings: { baseUrl: 'ftp://old.example', callbackUrl: '', publish: 'listener' },
            },
          ],
        }),
      },
    },
    async show(page) {
      await showSection(page, 'Sites')
      await page.getByRole('button', { name: 'Import…' }).click()
      await page.getByRole('dialog', { name: 'Import sites' }).waitFor()
    },
    leave: close,
  },
  {
    name: 'settings-site',
    size: [1280, 980],
    async show(page) {
      await showSection(page, 'Sites')
      await page.getByRole('button', { name: 'Edit: Harbour Weekly' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel('Additional download origins').fill('https://files.harbour.example/archives')
      await dialog.getByRole('button', { name: 'Save changes' }).click()
      await dialog.getByText('Enter a scheme and host').waitFor()
    },
    leave: discard,
  },
  {
    name: 'settings-site-http',
    size: [1280, 980],
    async show(page) {
      await showSection(page, 'Sites')
      await page.getByRole('button', { name: 'Edit: Harbour Weekly' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel('Service URL').fill('http://editor.harbour.example/integration')
      await dialog.getByText('This address isn’t encrypted').waitFor()
    },
    leave: discard,
  },
  {
    name: 'settings-limits',
    size: narrow,
    async show(page) {
      await showSection(page, 'Sites')
      await page.getByRole('button', { name: 'Limits: Harbour Weekly' }).click()
      await page.getByRole('dialog').waitFor()
    },
    leave: close,
  },
  {
    name: 'settings-limits-bucket',
    size: narrow,
    async show(page) {
      await showSection(page, 'Sites')
      await page.getByRole('button', { name: 'Limits: Harbour Weekly' }).click()
      await page.getByLabel('Publish media with').click()
      await page.getByRole('option', { name: 'S3 bucket' }).click()
      await page.getByText('AWS_ACCESS_KEY_ID').waitFor()
      await page.getByText('Store saves only if').scrollIntoViewIfNeeded()
    },
    leave: discard,
  },
  {
    name: 'settings-rules',
    async show(page) {
      await showSection(page, 'Rules')
      await page.getByRole('button', { name: 'Add pattern' }).click()
      await page.getByRole('button', { name: 'Save changes' }).click()
      await page.getByText('Enter an e-mail address without spaces').waitFor()
    },
    leave: (page) =>
      page
        .getByRole('main')
        .getByRole('button', { name: /^Remove/ })
        .click(),
  },
  {
    name: 'settings-developer',
    size: [1280, 1000],
    async show(page) {
      await showSection(page, 'Developer')
      await page.getByRole('button', { name: 'Start emulator' }).waitFor()
    },
  },
  {
    name: 'settings-developer-emulator',
    calls: {
      readEmulator: {
        answers: {
          url: 'http://127.0.0.1:8900',
          baseUrl: 'http://127.0.0.1:8900/integration',
          apiKey: 'harbour-key',
          faults: [
            { kind: 'wrong_signature', times: 1 },
            { kind: 'slow_download', times: 2 },
          ],
        },
      },
    },
    async show(page) {
      await showSection(page, 'Developer')
      await page.getByText('This site uses another service').waitFor()
    },
  },
  {
    name: 'settings-developer-report',
    calls: { readKitReport: { answers: kitReport } },
    async show(page) {
      await showSection(page, 'Developer')
      await page.getByRole('button', { name: 'Save as JUnit…' }).scrollIntoViewIfNeeded()
      await page.getByText('1 case passed').scrollIntoViewIfNeeded()
    },
  },
  { name: 'settings-listener', size: narrow, show: (page) => showSection(page, 'Listener') },
  {
    name: 'settings-storage',
    async show(page) {
      await showSection(page, 'Library')
      await page.getByLabel('Versions to keep per material').fill('1')
      await page.getByRole('button', { name: 'Preview' }).click()
      await page.getByText(/^\d+ versions? can be deleted|^Nothing to delete/).waitFor()
    },
  },
  {
    name: 'settings-people',
    size: [1280, 980],
    async show(page) {
      await showSection(page, 'Library')
      await page.getByLabel('E-mail address').fill('nobody@else.example')
      await page.getByRole('button', { name: 'Find', exact: true }).click()
      await page.getByText('No entries contain this address.').waitFor()
      await page.getByRole('button', { name: 'Erase…' }).scrollIntoViewIfNeeded()
    },
  },
  {
    name: 'settings-prune',
    size: [1280, 980],
    async show(page) {
      await showSection(page, 'Library')
      await page.getByLabel('Versions to keep per material').fill('2')
      await page.getByRole('button', { name: 'Preview' }).click()
      await page.getByText('There is no backup yet.').scrollIntoViewIfNeeded()
    },
  },
  {
    name: 'settings-backups',
    calls: { readSettings: { over: { backups: { folder: '/home/anna/Backups', everyDays: 1 } } } },
    async show(page) {
      await showSection(page, 'Sites')
      await showSection(page, 'Library')
      await page.getByText('/home/anna/Backups').waitFor()
    },
  },
  {
    name: 'settings-failed',
    calls: { readSettings: 'fails' },
    async show(page) {
      await showSection(page, 'Sites')
      await showSection(page, 'Appearance')
      await page.getByText('The settings could not be read').waitFor()
    },
    async leave(page) {
      const again = page.getByRole('button', { name: 'Try again' })
      // Shows settings that were changed meanwhile, without a reload.
      if (await again.isVisible()) await again.click()
    },
  },
  { name: 'settings-appearance', show: (page) => showSection(page, 'Appearance') },
  { name: 'settings-shortcuts', size: narrow, show: (page) => showSection(page, 'Shortcuts') },
  { name: 'settings-start', show: (page) => showSection(page, 'Startup and notifications') },
]
