// Checks an evidence archive: every file that manifest.json names has its size and SHA-256, and no other file is in it.
// Runs in a browser and in Node; loads nothing.

const hex = (bytes) => Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, '0')).join('')

/** The files of a ZIP whose files are stored without compression, by path. */
async function filesOfZip(blob) {
  const tailStart = Math.max(0, blob.size - 65_557)
  const tail = new DataView(await blob.slice(tailStart).arrayBuffer())
  let end = tail.byteLength - 22
  while (end >= 0 && tail.getUint32(end, true) !== 0x06054b50) end -= 1
  if (end < 0) throw new Error('This is not a complete ZIP file.')
  const [count, size, offset] = [
    tail.getUint16(end + 10, true),
    tail.getUint32(end + 12, true),
    tail.getUint32(end + 16, true),
  ]
  if (count === 0xffff || size === 0xffffffff || offset === 0xffffffff)
    throw new Error('This ZIP file is too large for the checker. Unpack it, then run node check.mjs in its folder.')
  const directory = new DataView(await blob.slice(offset, offset + size).arrayBuffer())
  const files = new Map()
  let at = 0
  for (let entry = 0; entry < count; entry += 1) {
    if (at + 46 > directory.byteLength || directory.getUint32(at, true) !== 0x02014b50)
      throw new Error('The directory of this ZIP file is damaged.')
    const method = directory.getUint16(at + 10, true)
    const bytes = directory.getUint32(at + 24, true)
    const [nameLength, extraLength, commentLength] = [28, 30, 32].map((field) => directory.getUint16(at + field, true))
    const place = directory.getUint32(at + 42, true)
    const path = new TextDecoder().decode(directory.buffer.slice(at + 46, at + 46 + nameLength))
    const local = new DataView(await blob.slice(place, place + 30).arrayBuffer())
    if (method !== 0 || local.byteLength < 30 || local.getUint32(0, true) !== 0x04034b50)
      throw new Error(`${path} cannot be read: the ZIP file was changed or is damaged.`)
    if (files.has(path)) throw new Error(`${path} is in the ZIP file twice.`)
    const start = place + 30 + local.getUint16(26, true) + local.getUint16(28, true)
    files.set(path, blob.slice(start, start + bytes))
    at += 46 + nameLength + extraLength + commentLength
  }
  return files
}

/** What is wrong with these files, in words; an empty list if nothing is. `manifest` is null if it cannot be read. */
export async function check(files) {
  let manifest
  try {
    manifest = JSON.parse(await files.get('manifest.json').text())
    if (manifest.format !== 'galley-evidence' || !Array.isArray(manifest.files)) throw new Error('not a manifest')
  } catch {
    return { manifest: null, problems: ['manifest.json is missing or cannot be read.'] }
  }
  const problems = []
  const named = new Map(manifest.files.map((file) => [file.path, file]))
  for (const [path, { bytes, sha256 }] of named) {
    const file = files.get(path)
    if (file === undefined) problems.push(`${path} is missing.`)
    else if (file.size !== bytes || hex(await crypto.subtle.digest('SHA-256', await file.arrayBuffer())) !== sha256)
      problems.push(`${path} was changed.`)
  }
  for (const path of files.keys()) {
    if (path !== 'manifest.json' && !named.has(path)) problems.push(`${path} was added.`)
  }
  return { manifest, problems }
}

/** Checks a ZIP file. `sha256` is that of the whole file, where it fits in memory. */
export async function checkZip(blob) {
  const { manifest, problems } = await check(await filesOfZip(blob))
  const sha256 = blob.size < 2 ** 31 ? hex(await crypto.subtle.digest('SHA-256', await blob.arrayBuffer())) : null
  return { manifest, problems, sha256 }
}

/** The result in lines of text. */
export function report({ manifest, problems, sha256 }) {
  const about = manifest && [
    `Page: ${manifest.material.title} (${manifest.material.id}), site ${manifest.site.name}`,
    `Version ${manifest.version.number}, received ${manifest.version.received_at}`,
    ...manifest.decisions.map(
      ({ number, decision, at, by, reason }) =>
        `Version ${number}: ${decision.replaceAll('_', ' ')}, ${at}${by ? `, ${by}` : ''}${reason ? `: ${reason}` : ''}`,
    ),
    ...(sha256 ? [`SHA-256 of the ZIP file: ${sha256}`] : []),
  ]
  const verdict =
    problems.length === 0
      ? [`All ${manifest.files.length} files are those that the manifest names.`]
      : ['This archive is not as it was made:', ...problems]
  return [...(about ?? []), '', ...verdict].join('\n')
}

if (
  globalThis.process?.versions?.node !== undefined &&
  process.argv[1] !== undefined &&
  /[\\/]check\.mjs$/.test(process.argv[1])
) {
  const { openAsBlob } = await import('node:fs')
  const { readdir } = await import('node:fs/promises')
  const { dirname, join, relative, sep } = await import('node:path')
  const filesOfFolder = async (folder) => {
    const found = (await readdir(folder, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile())
    const paths = found.map((entry) => join(entry.parentPath, entry.name))
    return new Map(
      await Promise.all(
        paths.map(async (path) => [relative(folder, path).replaceAll(sep, '/'), await openAsBlob(path)]),
      ),
    )
  }
  try {
    const [, script, zip] = process.argv
    const result =
      zip === undefined ? await check(await filesOfFolder(dirname(script))) : await checkZip(await openAsBlob(zip))
    process.stdout.write(`${report(result)}\n`)
    process.exitCode = result.problems.length === 0 ? 0 : 1
  } catch (error) {
    process.stderr.write(`${error.message}\n`)
    process.exitCode = 1
  }
}
