import type { Page } from 'playwright'

import { cause } from '../../../packages/wire/cause.ts'
import { goTo, goToChecks } from '../support/app.ts'
import { openDialog } from '../support/dialogs.ts'
import type { ScreenState } from './state.ts'

const line = (page: Page, name: string) => page.getByRole('listitem', { name, exact: true })

async function showHealth(page: Page): Promise<void> {
  await goToChecks(page)
  await line(page, 'Backup').waitFor()
}

/** The window after a restart, at the same location. */
async function begin(page: Page): Promise<void> {
  await goToChecks(page)
  await page.reload()
}

const dayMs = 86_400_000
const daysAgo = (days: number): string => new Date(Date.now() - days * dayMs).toISOString()
const stoppedListener = { kind: 'failed', code: 'EADDRINUSE', port: 8787 } as const

const unsynced = {
  kind: 'listening',
  url: 'http://127.0.0.1:8787',
  fault: { cause: cause('sync_failed', { why: cause('disk_error') }), until: 'restart' },
} as const
const mismatch = { kind: 'failed', code: 'log_mismatch', port: 8787 } as const
const readOnly = { kind: 'failed', code: 'library_unusable', port: 8787 } as const

async function showLibrary(page: Page, word: string): Promise<void> {
  await begin(page)
  await line(page, 'Library').getByText(word, { exact: true }).waitFor()
}

async function leaveLibrary(page: Page): Promise<void> {
  await page.reload()
  await showHealth(page)
}

export const healthStates: readonly ScreenState[] = [
  { name: 'health', show: showHealth },
  {
    name: 'health-checked',
    size: [900, 800],
    async show(page) {
      await showHealth(page)
      await page.getByRole('button', { name: 'Check library' }).click()
      await line(page, 'Library check').getByText('No problems found').waitFor()
      await page.getByRole('button', { name: 'Test now' }).click()
      await line(page, 'Callback URL').getByText('Reached', { exact: true }).waitFor()
    },
  },
  {
    name: 'health-problems',
    calls: {
      openProblems: { answers: { count: 7, urgency: 'danger', sites: ['harbour', 'city'] } },
      listenerState: { over: stoppedListener },
      readHealth: {
        over: {
          listener: stoppedListener,
          pauses: [
            {
              site: { id: 'harbour', name: 'Harbour Weekly' },
              reason: 'The front page is frozen until Monday',
              since: daysAgo(1.2),
            },
          ],
          sitesWithProblems: [
            {
              id: 'harbour',
              name: 'Harbour Weekly',
              problems: [
                { kind: 'unconfirmed' },
                { kind: 'failed_saves', count: 3, isStorageAtFault: false },
                { kind: 'unsigned_saves', count: 3, since: daysAgo(0.2), newest: 'c1', signedIn: null },
              ],
            },
            {
              id: 'city',
              name: 'City Letters',
              problems: [
                { kind: 'secret', secret: 'missing' },
                { kind: 'unreachable' },
                { kind: 'unsigned_saves', count: 1, since: daysAgo(0.2), newest: 'c2', signedIn: 'x-signature' },
              ],
            },
          ],
          sleepGaps: [
            {
              kind: 'closed',
              from: daysAgo(0.6),
              to: daysAgo(0.3),
              pages: [
                { site: 'harbour', title: 'The ferry returns' },
                { site: 'harbour', title: 'Market at nine' },
              ],
            },
          ],
          skippedEntries: { count: 3, first: 1412 },
          keychain: 'locked',
          disk: { freeBytes: 412_000_000, totalBytes: 256_000_000_000, isLow: true },
          runtime: {
            electron: '45.4.1',
            chromium: '150.0.7871.46',
            node: '24.18.1',
            isDevelopment: false,
            isUnsupported: false,
          },
          lastCheck: { at: daysAgo(0.1), isRepair: false, ok: false, files: 61, bytes: 1_100_000, problems: 2 },
          lastBackup: {
            at: daysAgo(12),
            file: '/home/anna/Backups/galley-2026-11-09-09-00-00.galley-backup',
            withFiles: true,
            bytes: 1_480_000,
            files: 59,
            materials: 7,
            versions: 16,
            missing: [],
            damaged: [],
          },
        },
      },
    },
    async show(page) {
      await begin(page)
      await line(page, 'Saves for Harbour Weekly').waitFor()
    },
    async leave(page) {
      await page.reload()
      await showHealth(page)
    },
  },
  {
    name: 'health-disk',
    calls: {
      openProblems: { answers: { count: 1, urgency: 'danger', sites: [] } },
      listenerState: { over: unsynced },
      readHealth: { over: { listener: unsynced } },
    },
    async show(page) {
      await begin(page)
      await line(page, 'Listener').getByText('Can’t store saves').waitFor()
    },
    leave: leaveLibrary,
  },
  {
    name: 'health-elsewhere',
    calls: { openProblems: { answers: { count: 2, urgency: 'warning', sites: ['city'] } } },
    async show(page) {
      await begin(page)
      await goTo(page, 'Materials')
      await page.getByText('1 other site needs attention').waitFor()
    },
    leave: leaveLibrary,
  },
  {
    name: 'health-restore',
    calls: {
      chooseBackup: { answers: { token: 'a', path: '/home/anna/Backups/galley-2026-11-09-09-00-00.galley-backup' } },
    },
    async show(page) {
      await begin(page)
      await line(page, 'Backup').getByRole('button', { name: 'Restore…' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByRole('button', { name: 'Choose backup' }).click()
      await dialog.getByText('galley-2026-11-09').waitFor()
      await dialog.getByRole('button', { name: 'Restore', exact: true }).click()
      await dialog.getByRole('alert').waitFor()
    },
    async leave(page) {
      await page.keyboard.press('Escape')
      await page.locator(openDialog).waitFor({ state: 'detached' })
    },
  },
  {
    name: 'health-mismatch',
    calls: {
      openProblems: { answers: { count: 1, urgency: 'danger', sites: [] } },
      listenerState: { over: mismatch },
      readHealth: {
        over: {
          listener: mismatch,
          opening: { state: 'log_mismatch', isLogShort: true, facts: [], isRebuildRequested: false },
        },
      },
    },
    show: (page) => showLibrary(page, 'Log doesn’t match'),
    leave: leaveLibrary,
  },
  {
    name: 'health-read-only',
    size: [760, 720],
    calls: {
      openProblems: { answers: { count: 1, urgency: 'danger', sites: [] } },
      listenerState: { over: readOnly },
      readHealth: {
        over: {
          listener: readOnly,
          disk: { freeBytes: 0, totalBytes: 256_000_000_000, isLow: true },
          opening: { state: 'read_only', isLogShort: false, facts: [], isRebuildRequested: false },
        },
      },
    },
    show: (page) => showLibrary(page, 'Read-only'),
    leave: leaveLibrary,
  },
  {
    name: 'health-rebuilt',
    calls: {
      openProblems: { answers: { count: 1, urgency: 'warning', sites: [] } },
      readHealth: {
        over: {
          opening: {
            state: 'whole',
            isLogShort: false,
            facts: [
              {
                kind: 'rebuilt',
                cause: 'damaged',
                materials: 7,
                versions: 16,
                setAside: 'index.db.set-aside-2026-11-20T09-14-02Z',
                logSetAside: null,
                lostEntries: 2,
              },
            ],
            isRebuildRequested: false,
          },
        },
      },
    },
    show: (page) => showLibrary(page, 'Entries missing'),
    leave: leaveLibrary,
  },
  {
    name: 'health-synchronised',
    calls: {
      readHealth: {
        over: {
          library: {
            folder: '/home/anna/Dropbox/Galley',
            indexBytes: 2_400_000,
            filesBytes: 1_310_000_000,
            files: 4210,
            materials: 312,
            versions: 2954,
            callbacks: 3120,
            schema: 9,
            syncedBy: 'Dropbox',
          },
        },
      },
    },
    async show(page) {
      await showHealth(page)
      await page.keyboard.press('Control+r')
      await line(page, 'Disk').getByText('Synced', { exact: true }).waitFor()
    },
    async leave(page) {
      await page.keyboard.press('Control+r')
      await line(page, 'Disk').getByText('Enough space', { exact: true }).waitFor()
    },
  },
  {
    name: 'health-loading',
    calls: { readHealth: 'waits' },
    async show(page) {
      await begin(page)
      await page.getByRole('region', { name: 'Health' }).getByRole('status', { name: 'Loading' }).waitFor()
    },
    leave: (page) => line(page, 'Backup').waitFor(),
  },
  {
    name: 'health-failed',
    calls: { readHealth: 'fails' },
    async show(page) {
      await goToChecks(page)
      await page.keyboard.press('Control+r')
      await page.getByText('The library status could not be read').waitFor()
    },
    leave: (page) => page.getByRole('button', { name: 'Try again' }).click(),
  },
  { name: 'health-empty', isEmptyLibrary: true, show: showHealth },
]
