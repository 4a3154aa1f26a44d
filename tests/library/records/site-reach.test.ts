import { describe, expect, it } from 'vitest'

import { isPublicService, unreachableFields } from '../../../packages/library/records/site-reach.ts'

describe('a service is on the internet', () => {
  it.each([
    'https://editor.example/integration',
    'http://editor.example.com:8443/',
    'https://unresolvable.invalid-name.example',
    'https://8.8.8.8/integration',
    'https://[2606:4700::1111]/',
    'https://editor.lan/',
    'https://internal.example/',
  ])('at %s', (url) => expect(isPublicService(url)).toBe(true))
  it.each([
    'http://127.0.0.1:8900',
    'http://2130706433/',
    'http://[::1]:8900',
    'http://[::ffff:10.0.0.1]/',
    'http://localhost:8900',
    'http://10.1.2.3/',
    'http://172.20.0.4/',
    'http://192.168.1.5/',
    'http://169.254.1.1/',
    'http://[fd00::1]/',
    'http://editor/',
    'http://editor.local/',
    'http://editor.internal/',
    'https://editor.test/',
    'not a URL',
  ])('but not at %s', (url) => expect(isPublicService(url)).toBe(false))
})

describe('no save can arrive', () => {
  const site = { baseUrl: 'https://editor.example', callbackUrl: 'https://cms.example/callback/a', publicUrl: null }
  const local = 'http://127.0.0.1:8787/callback/a'
  it.each([
    [site, []],
    [{ ...site, callbackUrl: local }, ['callbackUrl']],
    [{ ...site, callbackUrl: 'http://galley.local/callback/a' }, ['callbackUrl']],
    [{ ...site, publicUrl: 'http://192.168.1.5' }, ['publicUrl']],
    [{ ...site, callbackUrl: local, publicUrl: 'http://nas' }, ['callbackUrl', 'publicUrl']],
    [{ ...site, baseUrl: 'http://127.0.0.1:8900', callbackUrl: local }, []],
    [{ ...site, baseUrl: 'http://10.0.0.2', callbackUrl: 'http://10.0.0.3/callback/a' }, []],
    [{ ...site, baseUrl: '', callbackUrl: local }, []],
    [{ ...site, callbackUrl: 'http' }, []],
  ])('at %j: %j', (given, fields) => expect(unreachableFields(given)).toEqual(fields))
})
