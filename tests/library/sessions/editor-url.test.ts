import { describe, expect, it } from 'vitest'

import { isOpenableEditorUrl } from '../../../packages/library/sessions/editor-url.ts'

const opened = [
  'https://editor.example.com/',
  'https://editor.example.com/e/abc?x=1#top',
  'https://editor.example.com:8443/e/abc',
  'https://editor.example.com?e=abc',
  'HTTPS://EDITOR.EXAMPLE.COM/e',
  'https://127.0.0.1/e',
  'https://[2001:db8::1]/e',
  'https://bücher.example/e',
  'https://editor.example.com/%0d%0a',
  'https://editor.example.com/e/a@b',
  'http://127.0.0.1/e',
  'http://127.0.0.1:8787/e/abc',
  'http://localhost:3000/',
  'http://LOCALHOST/e',
  'http://[::1]:8787/e',
  'http://127.1/e',
]

const refused = [
  '',
  'editor.example.com',
  '//editor.example.com/e',
  '/e/abc',
  'http://editor.example.com/e',
  'http://127.0.0.1.example.com/e',
  'http://localhost.example.com/e',
  'http://127.0.0.2/e',
  'http://0.0.0.0/e',
  'http://192.168.0.10/e',
  'http://localhost@evil.example/e',
  'https://editor.example.com@evil.example/e',
  'https://user:pass@editor.example.com/e',
  'https:editor.example.com/e',
  'https:/editor.example.com/e',
  'https:\\\\editor.example.com\\e',
  'https://editor.example.com\\@evil.example/',
  ' https://editor.example.com/',
  'https://editor.example.com/ e',
  'https://editor.example.com/\n',
  'https://editor.\texample.com/',
  'https://editor.example.com/\u0000',
  'ht\ntps://editor.example.com/',
  'https://',
  'https://[::1',
  'file:///etc/passwd',
  'javascript:alert(1)',
  'data:text/html,x',
  'ftp://editor.example.com/',
  'vscode://file/etc/passwd',
  'ms-settings:privacy',
  'smb://host/share',
  'mailto:a@example.com',
  'about:blank',
  'app://galley/renderer/index.html',
  'blob:https://editor.example.com/1',
]

describe('the URLs that the browser may open', () => {
  it.each(opened)('opens %j', (url) => expect(isOpenableEditorUrl(url)).toBe(true))
  it.each(refused)('refuses %j', (url) => expect(isOpenableEditorUrl(url)).toBe(false))
})
