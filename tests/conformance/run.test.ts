import { expect, onTestFinished, test } from 'vitest'

import { themes } from '../../src/conformance/cases.ts'
import { junitXml } from '../../src/conformance/report/junit.ts'
import { failedIn, runKit } from './support/kit.ts'
import { aStub, auth, basic, runStub } from './support/stub-run.ts'
import { wrongOpens } from './support/wrong-backends.ts'

test.for(wrongOpens)('%s: a session that is opened wrongly is found out', async ([id, body]) => {
  const opened = Promise.withResolvers<void>()
  const stub = await aStub([], basic)
  onTestFinished(stub.close)
  const run = runKit(stub, { auth, only: ['save-accepted', id], onOutcome: () => opened.resolve() })
  await opened.promise
  const address = `http://127.0.0.1:${stub.port}/integration/session/open`
  const answer = await fetch(address, { method: 'POST', body: JSON.stringify(body) })
  expect(answer.status).toBe(200)
  expect(Object.keys(failedIn(await run))).toEqual([id])
})

test('what a backend gives away is not repeated in the report', async () => {
  const { report } = await runStub(['tells-addresses', 'never-tries-again'], { only: ['download-tried-again'] })
  const [outcome] = report.outcomes
  expect(outcome?.got).toContain('api_key=…')
  expect(outcome?.got).not.toMatch(/stub-key|[0-9a-f]{64}/)
})

test('a backend that goes away ends the run, and is not blamed for every case', async () => {
  const stub = await aStub([])
  const report = await runKit(stub, { onOutcome: (_, done) => void (done === 20 && stub.close()) })
  expect(report.cutShort).toMatch(/^The backend stopped answering during .*refused/)
  expect(report.outcomes.length).toBeLessThan(30)
  // Whoever reads the JUnit report alone has to see that this was no whole run.
  const xml = junitXml(report)
  const named = themes.flatMap(({ cases }) => cases).filter(({ id }) => xml.includes(`name="${id}: `))
  expect(named).toHaveLength(themes.flatMap(({ cases }) => cases).length)
  expect(xml).toContain('<skipped message="the run ended before it"/>')
})
