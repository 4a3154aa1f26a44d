import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'

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
