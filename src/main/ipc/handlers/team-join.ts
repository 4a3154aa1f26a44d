import { realpath } from 'node:fs/promises'
import type { CallProblem } from '@galley/library/records'
import type { TeamKeys, TeamLocation } from '@galley/team'
import { refusal, rootOf } from '@galley/team'
import { CausedError, fail, ok } from '@galley/wire'
import type { TaskId } from '@galley/wire'

import type { Handlers } from '../../../ipc/calls.ts'
import type { Purpose } from '../chosen-paths.ts'
import { problemOfFolder } from './library-folder.ts'
import { notConfirmed } from './not-chosen.ts'
import { formOfLocation, invalid, readKeys, readTeamLocation } from './team-form.ts'
import type { MayUseTeam, TeamEdges, TeamPorts } from './team-ports.ts'
import { unknownTask } from './unknown.ts'

interface JoinInput {
  readonly folder: string
  readonly place: TeamLocation
  readonly keys: TeamKeys
}

const joinFolder: Purpose = { what: 'team-folder', site: '' }

type JoinCalls = 'chooseTeamFolder' | 'startTeamJoin' | 'openJoinedLibrary' | 'unfinishedJoin' | 'resumeTeamJoin'

/** A join happens in another folder, and does not affect the open library. */
export function joinHandlers(
  { folder: open, tasks, background, network, teamKeysIn }: TeamPorts,
  { desktop, chosen, rememberLibrary, unfinished }: TeamEdges,
  mayUse: MayUseTeam,
): Pick<Handlers, JoinCalls> {
  let joined: string | null = null

  /** Null: there are none, or they cannot be read. */
  const keysIn = (folder: string, member: string): Promise<TeamKeys | null> =>
    teamKeysIn(folder)
      .read(member)
      .catch((error: unknown) => {
        if (!(error instanceof CausedError)) throw error
        return null
      })

  /** `former`: the name of the member that an earlier try has made. */
  const start = (options: JoinInput, former: string | null): TaskId =>
    tasks.start('teamJoin', { target: options.folder }, async ({ signal, progress }) => {
      const { keep } = teamKeysIn(options.folder)
      const answer = async (_: string, member: unknown) => (await keep(String(member), options.keys)).ok
      const proxy = await network.proxyFor(new URL(rootOf(options.place)))
      const done = await background.run(
        'joinTeam',
        { ...options, proxy: proxy?.href ?? null },
        { signal, progress, answer },
      )
      if (!done.ok) return done
      // Its keys are kept under the new name.
      if (former !== null) await keep(former, null)
      joined = options.folder
      return ok({ folder: options.folder })
    })

  return {
    async chooseTeamFolder() {
      const path = await desktop.chooseFolder('teamFolder')
      return path === null ? null : chosen.keep(joinFolder, path)
    },
    async startTeamJoin(form) {
      const [place, keys] = [readTeamLocation(form.place), readKeys(form.keys)]
      if (!place.ok) return place
      if (!keys.ok) return keys
      const folder = form.folder === null ? null : chosen.find(joinFolder, form.folder)
      if (folder === null) return invalid('folder')
      const problem = await problemOfNewFolder(folder, open)
      if (problem !== null) return fail({ ...problem, field: 'folder' })
      if (!(await mayUse('join', form.place))) return notConfirmed
      return ok({ task: start({ folder, place: place.value, keys: keys.value }, null) })
    },
    async openJoinedLibrary() {
      if (joined === null) return unknownTask
      await rememberLibrary(joined)
      desktop.relaunch()
      return ok(null)
    },
    async unfinishedJoin() {
      if (unfinished === null) return null
      const { folder, member } = unfinished
      return { folder, place: formOfLocation(unfinished), hasKeys: (await keysIn(folder, member)) !== null }
    },
    async resumeTeamJoin({ keys: typed }) {
      if (unfinished === null) return unknownTask
      const { folder, member } = unfinished
      const form = formOfLocation(unfinished)
      const place = readTeamLocation(form)
      if (!place.ok) return place
      const kept = typed === null ? await keysIn(folder, member) : null
      const keys = kept === null ? readKeys(typed ?? { id: '', secret: '' }) : ok(kept)
      if (!keys.ok) return keys
      if (!(await mayUse('join', form))) return notConfirmed
      return ok({ task: start({ folder, place: place.value, keys: keys.value }, member) })
    },
  }
}

async function problemOfNewFolder(folder: string, open: string): Promise<CallProblem | null> {
  const problem = await problemOfFolder(folder)
  if (problem !== null) return problem
  // A join moves the files of an empty library aside, and this one is open.
  return (await realpath(folder)) === (await realpath(open)) ? refusal({ code: 'library_in_use' }) : null
}
