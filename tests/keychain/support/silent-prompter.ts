import { once } from 'node:events'
import { createConnection } from 'node:net'

// The desktop's password dialog with nobody in front of it: takes every request to show a prompt, and never says how it
// ended. As much of the D-Bus protocol as that needs.

const uint = (value: number): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}
const text = (value: string): Buffer => Buffer.concat([uint(Buffer.byteLength(value)), Buffer.from(`${value}\0`)])
const padded = (bytes: Buffer, to: number): Buffer =>
  Buffer.concat([bytes, Buffer.alloc((to - (bytes.length % to)) % to)])

/** A header field: its code, the type of its value, the value. */
const field = (code: number, type: string, value: Buffer): Buffer =>
  Buffer.concat([Buffer.from([code, 1, type.charCodeAt(0), 0]), value])

const methodCall = 1
const methodReturn = 2

function message(type: number, serial: number, fields: readonly Buffer[], body: Buffer = Buffer.alloc(0)): Buffer {
  let array = Buffer.alloc(0)
  for (const each of fields) array = Buffer.concat([padded(array, 8), each])
  const head = [Buffer.from([0x6c, type, 0, 1]), uint(body.length), uint(serial), uint(array.length), array]
  return Buffer.concat([padded(Buffer.concat(head), 8), body])
}

/** Becomes the prompter of the bus at `address` until the returned function is called. */
export async function startSilentPrompter(address: string): Promise<() => void> {
  const socket = createConnection(/unix:path=([^,]+)/.exec(address)?.[1] ?? '')
  socket.on('error', () => {})
  await once(socket, 'connect')
  const user = Buffer.from(String(process.getuid?.() ?? 0)).toString('hex')
  socket.write(`\0AUTH EXTERNAL ${user}\r\n`)
  await once(socket, 'data')
  socket.write('BEGIN\r\n')

  let serial = 0
  const callBus = (member: string, signature: string, body: Buffer<ArrayBuffer>): void => {
    serial += 1
    const bus = [field(1, 'o', text('/org/freedesktop/DBus')), field(2, 's', text('org.freedesktop.DBus'))]
    const what = [field(3, 's', text(member)), field(6, 's', text('org.freedesktop.DBus'))]
    const kind = Buffer.concat([Buffer.from([8, 1, 0x67, 0, signature.length]), Buffer.from(`${signature}\0`)])
    socket.write(message(methodCall, serial, [...bus, ...what, ...(signature === '' ? [] : [kind])], body))
  }
  socket.on('data', (bytes: Buffer) => {
    const sender = /:1\.\d+/.exec(bytes.toString('latin1'))?.[0]
    if (bytes[1] !== methodCall || sender === undefined) return
    serial += 1
    socket.write(
      message(methodReturn, serial, [field(5, 'u', uint(bytes.readUInt32LE(8))), field(6, 's', text(sender))]),
    )
  })
  callBus('Hello', '', Buffer.alloc(0))
  await once(socket, 'data')
  callBus('RequestName', 'su', Buffer.concat([padded(text('org.gnome.keyring.SystemPrompter'), 4), uint(0)]))
  await once(socket, 'data')
  return () => void socket.destroy()
}
