import { expect, it } from 'vitest'

import { describeFault } from '../../packages/wire/describe-fault.ts'

it('contains kind, code and calls of an error, but neither its message nor a folder', () => {
  const error = Object.assign(new TypeError('no token in this:\n    at the secret'), { code: 'EODD' })
  const place = describeFault(error)
  expect(place).toMatch(/^TypeError EODD at .*describe-fault\.test\.ts:\d+:\d+/)
  expect(place).not.toMatch(/secret|[/\\]/)
  expect(describeFault('the secret')).toBe('string')
})

it('cuts folders however a runtime writes them', () => {
  const error = new Error('no')
  error.stack = [
    'Error: no',
    '    at run (/home/ida/my apps/out/main/index.js:1:2)',
    '    at async file:///home/ida/my%20apps/index.js:3:4',
    String.raw`    at C:\Users\ida\galley\index.js:5:6`,
    '    at node:internal/process/task_queues:95:5',
    '    at Array.map (<anonymous>)',
  ].join('\n')
  expect(describeFault(error)).toBe(
    'Error at run (index.js:1:2) at async index.js:3:4 at index.js:5:6 at task_queues:95:5 at Array.map (<anonymous>)',
  )
})
