import { join } from 'node:path'
import { expect, onTestFinished } from 'vitest'

import { galley } from '../cli/support/cli.ts'
import { send } from './delivery.ts'
import type { Edges, Environment, Ran } from './galley-process.ts'
import { aLibrary } from './library-with-service.ts'
import { openGalley } from './open-galley.ts'
import type { Behaviour } from './s3-server.ts'
import { startS3Server } from './s3-server.ts'
import { aSave, temporaryFolder } from './test-galley.ts'
import type { SaveParts } from './test-galley.ts'

/** The environment with the keys of a storage. */
interface TeamStorage {
  readonly url: string
  readonly keys: { readonly id: string; readonly secret: string }
  readonly bucket: string
}

/** A library with the site acme and some saves, a storage, and commands on both. */
export async function aTeam(given: TeamStorage | Behaviour = {}, edges: Edges = {}) {
  const started = 'keys' in given ? null : await startS3Server(given)
  const storage: TeamStorage =
    'keys' in given ? given : { url: started?.url ?? '', keys: { id: 'anyone', secret: 'anything' }, bucket: 'team' }
  if (started) onTestFinished(started.close)
  const { service, library, environment: own } = await aLibrary()
  const environment = {
    ...own,
    GALLEY_TEAM_ACCESS_KEY_ID: storage.keys.id,
    GALLEY_TEAM_SECRET_ACCESS_KEY: storage.keys.secret,
  }
  const teamPlace = `s3://${storage.bucket}/library`
  const at = ['--endpoint', storage.url, '--region', 'us-east-1']
  const runWith =
    (variables: Environment) =>
    (folder: string, ...args: string[]): Promise<Ran> =>
      galley([...args, '--json', '--library', folder], variables, '', edges)
  const run = runWith(environment)

  return {
    service,
    library,
    environment,
    run,
    storage,
    /** The arguments that `team` commands need. */
    at: [teamPlace, ...at],
    /** Runs a command with other keys for the bucket. */
    runAs: ({ id, secret }: TeamStorage['keys'], folder: string, ...args: string[]): Promise<Ran> =>
      runWith({ ...environment, GALLEY_TEAM_ACCESS_KEY_ID: id, GALLEY_TEAM_SECRET_ACCESS_KEY: secret })(
        folder,
        ...args,
      ),
    /** The objects of the storage in memory, by key. */
    objects: started?.objects ?? new Map<string, Buffer>(),
    create: (folder: string) => run(folder, 'team', 'create', teamPlace, ...at),
    import: (folder = library) => run(folder, 'team', 'import', teamPlace, ...at),
    join: (folder: string) => run(folder, 'team', 'join', teamPlace, ...at),
    newFolder: async (): Promise<string> => join(await temporaryFolder(), 'member'),
    /** Opens a library in this process, with a listener. */
    async listen(folder = library, now = () => new Date()) {
      const lines: string[] = []
      const opened = await openGalley({
        folder,
        ...edges,
        now,
        secrets: { environment },
        retryWaitsMs: [5, 10],
        log: (line: string) => void lines.push(line),
      })
      let isOpen = true
      const close = async (): Promise<void> => {
        if (isOpen) await opened.close()
        isOpen = false
      }
      onTestFinished(close)
      const state = await opened.listener.start('127.0.0.1', 0)
      if (state.kind !== 'listening') throw new Error(`The listener did not start: ${JSON.stringify(state)}`)
      const deliver = ({ body, headers }: Pick<ReturnType<typeof aSave>, 'body' | 'headers'>) =>
        send(`${state.url}/callback/acme`, 'POST', body, { 'content-type': 'application/json', ...headers })
      return { galley: opened, url: state.url, lines, close, deliver }
    },
    save: (parts: SaveParts = {}) => aSave(service, parts),
  }
}

/** Shares the library of a team, which then receives a save, and returns the folder of another computer that has joined. */
export async function joinedAfterSave(
  team: Pick<Awaited<ReturnType<typeof aTeam>>, 'import' | 'listen' | 'save' | 'newFolder' | 'join'>,
): Promise<string> {
  expect((await team.import()).code).toBe(0)
  const member = await team.listen()
  expect((await member.deliver(team.save({ materialId: 'post-1', versionId: 'v1' }))).json.rc).toBe(1)
  await member.close()
  const folder = await team.newFolder()
  expect((await team.join(folder)).code).toBe(0)
  return folder
}

/** A team whose storage is unreachable while `isAway` is set. */
export async function aTeamWithOutage() {
  const outage = { isAway: false }
  return {
    outage,
    ...(await aTeam({ mishap: () => (outage.isAway ? 'cut_before' : null) }, { bucketPatienceMs: 1_000 })),
  }
}
