import yauzl from 'yauzl'

/**
 * Every file of an archive as yauzl reads it: an oracle that shares no code with Galley's reader. Names are read as UTF-8,
 * which Info-ZIP writes without declaring it.
 */
export const readWithYauzl = (bytes: Buffer): Promise<Record<string, Buffer>> =>
  new Promise((resolve, reject) => {
    yauzl.fromBuffer(bytes, { lazyEntries: true, decodeStrings: false }, (openError, zip) => {
      if (openError) return reject(openError)
      const found: Record<string, Buffer> = {}
      zip.on('error', reject)
      zip.on('end', () => resolve(found))
      zip.on('entry', (entry: yauzl.Entry) => {
        // Without decodeStrings the name is a buffer, whatever the type says.
        const name = Buffer.from(entry.fileName).toString('utf8')
        if (name.endsWith('/')) return zip.readEntry()
        zip.openReadStream(entry, (readError, stream) => {
          if (readError) return reject(readError)
          const chunks: Buffer[] = []
          stream.on('data', (chunk: Buffer) => chunks.push(chunk))
          stream.on('error', reject)
          stream.on('end', () => {
            found[name] = Buffer.concat(chunks)
            zip.readEntry()
          })
        })
      })
      zip.readEntry()
    })
  })
