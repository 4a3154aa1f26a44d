import { expect, it } from 'vitest'

import { versionFileName } from '../../../src/main/review/version-files.ts'

const named = (title: string): string => `${title}, version 3`

it.each([
  ['The old quay', 'The old quay, version 3.html'],
  ['Причал: вечер/утро', 'Причал вечер утро, version 3.html'],
  ['..\\..\\etc/passwd', 'etc passwd, version 3.html'],
  ['...', 'Galley, version 3.html'],
  ['  a \u0000\n\t b? ', 'a b, version 3.html'],
  // Shown from right to left, it would look like another kind of file.
  ['photo\u202Egnp', 'photo gnp, version 3.html'],
  ['con', '_con, version 3.html'],
  ['COM1.notes', '_COM1.notes, version 3.html'],
  ['Console', 'Console, version 3.html'],
  ['e\u0301te\u0301', 'été, version 3.html'],
  ['\uD800', 'Galley, version 3.html'],
])('%j is %j', (title, name) => expect(versionFileName(title, 'html', named)).toBe(name))

it('a long title is cut between characters, and the name fits every system', () => {
  for (const part of ['a', 'ё', '海', '👩‍👩‍👧']) {
    const name = versionFileName(part.repeat(400), 'zip', named)
    expect(Buffer.byteLength(name)).toBeLessThan(255)
    expect(name.endsWith(`${part}, version 3.zip`)).toBe(true)
    expect(name.isWellFormed()).toBe(true)
  }
})
