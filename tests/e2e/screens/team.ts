import type { Page } from 'playwright'

import type { TeamConflict, TeamConflicts, TeamView } from '../../../packages/library/views/team.ts'
import type { UnfinishedJoin } from '../../../src/ipc/team.ts'
import { goToChecks } from '../support/app.ts'
import { showSection } from '../support/settings.ts'
import { discard } from './settings.ts'
import type { ScreenState } from './state.ts'

const member: TeamView = {
  bucket: 'newsroom',
  prefix: 'library',
  endpoint: 'https://s3.example.com',
  region: 'eu-1',
  isReadOnly: false,
  probe: { at: '2026-11-22T08:00:00.000Z', requests: 22 },
  syncState: { kind: 'current' },
  waiting: 0,
  undecided: 0,
}
const since = '2026-11-23T14:02:00.000Z'
const offline: TeamView = { ...member, waiting: 3, syncState: { kind: 'offline', since, why: { code: 'bucket_away' } } }
const stopped: TeamView = { ...member, syncState: { kind: 'stopped', since, why: { code: 'bucket_key_wrong' } } }
const behind: TeamView = { ...member, isReadOnly: true, syncState: { kind: 'behind', entries: 12 } }

const undecided: TeamView = { ...member, waiting: 1, undecided: 4 }
const quay = {
  site: { id: 'harbour', name: 'Harbour Weekly' },

  materialId: 'stories/quay',
  title: 'The quick brown fox jumps over the lazy dog',
  version: null,
  tag: null,
  at: '2026-11-22T13:40:00.000Z',
}
const version = { id: 'v12', number: 12 }
const longNote = 'People who work by the water are up before it is light, and so were we.'
const conflictList: readonly TeamConflict[] = [
  {
    ...quay,
    id: 1,
    field: 'verdict',
    version,
    before: null,
    mine: { decision: 'approved', reason: '' },
    theirs: { value: { decision: 'changes_requested', reason: 'no such thing' }, at: '2026-11-22T14:05:00.000Z' },
  },
  { ...quay, id: 2, field: 'note', version, before: '', mine: longNote, theirs: { value: 'no such thing', at: null } },
  {
    ...quay,
    id: 3,
    field: 'tag',
    tag: 'front page',
    before: false,
    mine: true,
    theirs: { value: false, at: null },
  },
  {
    ...quay,
    title: null,
    materialId: 'stories/an-older-story-with-a-long-name',
    id: 4,
    field: 'archivedAt',
    before: false,
    mine: true,
    theirs: null,
  },
]
const conflicts: TeamConflicts = { total: 4, conflicts: conflictList }

const mark = (page: Page) => page.getByRole('contentinfo').getByRole('button', { name: /^Team library/ })

/** Makes the window read the state of its team. */
async function showTeam(page: Page): Promise<void> {
  await showSection(page, 'Library')
  await page.keyboard.press('Control+r')
  await mark(page).waitFor()
}

async function leaveTeam(page: Page): Promise<void> {
  await page.keyboard.press('Control+r')
  await mark(page).waitFor({ state: 'detached' })
}

async function showLine(page: Page): Promise<void> {
  await goToChecks(page)
  await page.keyboard.press('Control+r')
  await page.getByRole('listitem', { name: 'Team library', exact: true }).waitFor()
  await mark(page).waitFor()
}

const unfinished: UnfinishedJoin = {
  folder: '/home/ida/Documents/Galley/newsroom',
  place: { bucket: 'newsroom', prefix: 'library', endpoint: 'https://s3.example.com', region: 'eu-1' },
  hasKeys: false,
}

async function showUnfinished(page: Page): Promise<void> {
  await page.keyboard.press('Control+r')
  await page.getByRole('heading', { level: 1, name: 'Joining isn’t finished' }).waitFor()
}

async function leaveUnfinished(page: Page): Promise<void> {
  await page.keyboard.press('Control+r')
  await page.getByRole('heading', { level: 1, name: 'Joining isn’t finished' }).waitFor({ state: 'detached' })
}

/** A library that a team shares. */
export const teamStates: readonly ScreenState[] = [
  {
    name: 'settings-library',
    async show(page) {
      await showSection(page, 'Library')
      await page.getByRole('button', { name: 'Join a team library…' }).waitFor()
    },
  },
  {
    name: 'settings-library-join',
    size: [1280, 980],
    async show(page) {
      await showSection(page, 'Library')
      await page.getByRole('button', { name: 'Join a team library…' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel('Access key ID').fill('KEYID')
      await dialog.getByRole('button', { name: 'Test bucket' }).click()
      await dialog.getByText('Enter the name of a bucket').waitFor()
    },
    leave: discard,
  },
  {
    name: 'settings-library-join-tested',
    size: [1280, 1120],
    calls: { testTeamPlace: { answers: { ok: true, value: { requests: 22 } } } },
    async show(page) {
      await showSection(page, 'Library')
      await page.getByRole('button', { name: 'Join a team library…' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel('Bucket').fill('newsroom')
      await dialog.getByRole('button', { name: 'Test bucket' }).click()
      await dialog.getByText('The bucket can be used').waitFor()
    },
    leave: discard,
  },
  {
    name: 'settings-library-share',
    size: [900, 800],
    async show(page) {
      await showSection(page, 'Library')
      await page.getByRole('button', { name: 'Share this library…' }).click()
      await page.getByRole('dialog').getByLabel('Bucket').fill('newsroom')
    },
    leave: discard,
  },
  {
    name: 'settings-library-team',
    calls: { readTeam: { answers: member } },
    show: showTeam,
    leave: leaveTeam,
  },
  {
    name: 'settings-library-conflicts',
    calls: { readTeam: { answers: undecided }, teamConflicts: { answers: conflicts } },
    show: showTeam,
    leave: leaveTeam,
  },
  {
    name: 'settings-library-conflicts-narrow',
    calls: { readTeam: { answers: undecided }, teamConflicts: { answers: conflicts } },
    size: [760, 620],
    show: showTeam,
    leave: leaveTeam,
  },
  {
    name: 'settings-library-stopped',
    calls: { readTeam: { answers: stopped } },
    size: [900, 800],
    show: showTeam,
    leave: leaveTeam,
  },
  {
    name: 'settings-library-read-only',
    calls: { readTeam: { answers: behind } },
    show: showTeam,
    leave: leaveTeam,
  },
  {
    name: 'health-team-offline',
    calls: { readTeam: { answers: offline }, readHealth: { over: { team: offline } } },
    show: showLine,
    leave: leaveTeam,
  },
  {
    name: 'health-team-read-only',
    calls: { readTeam: { answers: behind }, readHealth: { over: { team: behind } } },
    size: [760, 620],
    show: showLine,
    leave: leaveTeam,
  },
  {
    name: 'team-unfinished',
    calls: { unfinishedJoin: { answers: unfinished } },
    show: showUnfinished,
    leave: leaveUnfinished,
  },
  {
    name: 'team-unfinished-kept',
    calls: { unfinishedJoin: { answers: { ...unfinished, hasKeys: true } } },
    size: [760, 620],
    show: showUnfinished,
    leave: leaveUnfinished,
  },
]
