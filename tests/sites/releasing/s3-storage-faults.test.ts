import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'

import { startS3Server } from '../../support/s3-server.ts'
import { createPublishingFixture } from './fixture.ts'

test('a bucket whose storage ignores the continuation token is not listed for ever', async () => {
  let lists = 0
  const server = createServer((request, response) => {
    request.resume()
    if (request.method === 'GET' && request.url?.includes('list-type=2')) {
      lists += 1
      // So that a publication without the guard ends too.
      if (lists > 20) return void response.destroy()
      const page = '<IsTruncated>true</IsTruncated><NextContinuationToken>same</NextContinuationToken>'
      return void response.end(`<?xml version="1.0"?><ListBucketResult>${page}</ListBucketResult>`)
    }
    const body = '<?xml version="1.0"?><Error><Code>NoSuchKey</Code></Error>'
    response.writeHead(request.method === 'PUT' ? 200 : 404, { etag: '"1"' }).end(request.method === 'PUT' ? '' : body)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const fixture = await createPublishingFixture()
  await fixture.save('post-1', '<p>One</p>')
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const target = await fixture.addTarget('s3:public/site', { endpoint, key: 'id:secret' })
  expect(await fixture.publish(target, true)).toMatchObject({ failure: { reason: { code: 'bucket_not_s3' } } })
  expect(lists).toBe(2)
})

test('a page that is on its way when another one fails is not left behind', async () => {
  let isFailing = false
  const [refused, arrives] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const storage = await startS3Server({
    mishap: (method, key) => {
      if (!isFailing || method !== 'PUT' || !key.endsWith('post-2/index.html')) return null
      refused.resolve()
      return 'status_403'
    },
    async hold(method, key) {
      if (!isFailing || method !== 'PUT' || !key.endsWith('post-3/index.html')) return
      await refused.promise
      // What a publication does that does not wait for this request: a shorter time would miss it, never fail.
      await new Promise((resolve) => setTimeout(resolve, 500))
      setImmediate(arrives.resolve)
    },
  })
  onTestFinished(storage.close)
  const fixture = await createPublishingFixture()
  await fixture.save('post-1', '<p>One</p>')
  const target = await fixture.addTarget('s3:team/site', { endpoint: storage.url, key: 'id:secret' })
  expect(await fixture.publish(target)).toMatchObject({ ok: true })
  for (const at of [2, 3]) await fixture.save(`post-${at}`, '<p>New</p>')
  isFailing = true
  expect(await fixture.publish(target)).toMatchObject({ failure: { code: 'target_failed', state: 'unchanged' } })
  await arrives.promise
  expect([...storage.objects.keys()].filter((key) => /post-[23]/.test(key))).toEqual([])
  isFailing = false
  expect(await fixture.publish(target)).toMatchObject({ ok: true })
  expect([...storage.objects.keys()].filter((key) => /post-[23].index/.test(key))).toHaveLength(2)
})
