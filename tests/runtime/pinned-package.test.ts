import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

import { verifyIntegrity } from '../../scripts/runtime/pinned-package.ts'
import { temporaryFolder } from './temporary-folder.ts'

const bytes = Buffer.from('the bytes of a package')
const pinned = {
  spec: 'some-package@1.0.0',
  integrity: `sha512-${createHash('sha512').update(bytes).digest('base64')}`,
}

test('the pinned bytes are accepted', async () => {
  const file = join(temporaryFolder(), 'package.tgz')
  writeFileSync(file, bytes)
  await expect(verifyIntegrity(file, pinned)).resolves.toBeUndefined()
})

test('a package with one bit changed is refused by name', async () => {
  const file = join(temporaryFolder(), 'package.tgz')
  const tampered = Buffer.from(bytes)
  tampered.writeUInt8(tampered.readUInt8(3) ^ 1, 3)
  writeFileSync(file, tampered)
  await expect(verifyIntegrity(file, pinned)).rejects.toMatchObject({
    part: 'Electron',
    message: expect.stringContaining('some-package@1.0.0 is not what was pinned'),
  })
})
