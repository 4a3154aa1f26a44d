import { expect, it } from 'vitest'

import { startListen } from '../cli/support/cli.ts'
import { send } from '../support/delivery.ts'
import { aTeam } from '../support/team.ts'

it('does not delete what a save that failed has published: another member may have found it there', async () => {
  const first = { isDue: false, others: () => Promise.resolve() }
  let isRefused = false
  const team = await aTeam({
    async hold(method, key) {
      if (method !== 'PUT' || !key.startsWith('library/log/') || !first.isDue) return
      first.isDue = false
      await first.others()
      isRefused = true
    },
    mishap(method, key) {
      const isDue = isRefused && method === 'PUT' && key.startsWith('library/log/')
      if (isDue) isRefused = false
      return isDue ? 'status_403' : null
    },
  })
  const environment = {
    ...team.environment,
    AWS_ACCESS_KEY_ID: 'anyone',
    AWS_SECRET_ACCESS_KEY: 'anything',
    AWS_ENDPOINT_URL: team.storage.url,
  }
  expect((await team.run(team.library, 'site', 'add', 'acme', '--publish', 's3:team/public')).code).toBe(0)
  expect((await team.import()).code).toBe(0)
  const folder = await team.newFolder()
  expect((await team.join(folder)).code).toBe(0)
  const [one, other] = [await startListen(team.library, environment), await startListen(folder, environment)]
  const deliver = (url: string, versionId: string) => {
    const { body, headers } = team.save({ materialId: 'post-1', versionId, files: { 'hero.png': 'the same' } })
    return send(`${url}/callback/acme`, 'POST', body, { 'content-type': 'application/json', ...headers })
  }
  // Both publish the same picture. The second save is stored while the first one is about to fail.
  first.others = async () => expect((await deliver(other.url, 'v2')).json.rc).toBe(1)
  first.isDue = true
  expect((await deliver(one.url, 'v1')).json).toMatchObject({ rc: 0, code: 'storage_failed' })
  expect([...team.objects.keys()].filter((key) => key.startsWith('public/') && key.endsWith('/hero.png'))).toHaveLength(
    1,
  )
})
