// Users and posts with Drizzle: its kit generates migrations, migrates, pushes and pulls; relational queries.
const { execFileSync } = require('node:child_process')
const fs = require('node:fs')
const path = require('node:path')
const mysql = require('mysql2/promise')
const { drizzle } = require('drizzle-orm/mysql2')
const { eq, sql, desc, count } = require('drizzle-orm')
const { migrate } = require('drizzle-orm/mysql2/migrator')

const say = (what, value) => console.log(what + ':', JSON.stringify(value))
const work = process.env.WORK
const modules = process.env.NODE_PATH
const url = `mysql://root@${process.env.HOST}:${process.env.PORT}/${process.env.DATABASE}`

function kit(...args) {
  try {
    return execFileSync('node', [path.join(modules, 'drizzle-kit/bin.cjs'), ...args, '--config=drizzle.config.js'], { cwd: work, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
  } catch (e) {
    throw new Error(`drizzle-kit ${args}: ${e.stdout}${e.stderr}`)
  }
}

async function main() {
  fs.symlinkSync(modules, path.join(work, 'node_modules'))
  fs.copyFileSync(path.join(__dirname, 'schema.js'), path.join(work, 'schema.js'))
  const schemas = require(path.join(work, 'schema.js'))
  const use = step => {
    fs.writeFileSync(path.join(work, 'step.js'), `Object.assign(exports, require('./schema.js')(${step}))`)
    return schemas(step)
  }
  fs.writeFileSync(path.join(work, 'drizzle.config.js'), `module.exports = { dialect: 'mysql', schema: './step.js', out: './out', dbCredentials: { url: '${url}' }, strict: false }`)
  const pool = mysql.createPool({ uri: url, dateStrings: true })
  let schema = use(1)
  kit('generate', '--name=first')
  let db = drizzle(pool, { schema, mode: 'default' })
  await migrate(db, { migrationsFolder: path.join(work, 'out') })
  const [ann] = await db.insert(schema.users).values({ email: 'ann@example.org', name: 'Ann', settings: { colour: 'red', sizes: [1, 2.5] } }).$returningId()
  await db.insert(schema.users).values({ email: 'bob@example.org', name: 'Bob' })
  await db.insert(schema.posts).values([{ title: 'One', authorId: ann.id }, { title: 'Two', authorId: ann.id }, { title: 'Three' }])
  await db.insert(schema.tags).values({ name: 'x', userId: ann.id })
  say('eager', await db.query.users.findMany({ with: { posts: { columns: { title: true }, orderBy: (p, { asc }) => asc(p.title) } }, orderBy: (u, { asc }) => asc(u.id) }))
  say('author', await db.query.posts.findFirst({ where: eq(schema.posts.title, 'Two'), columns: { title: true }, with: { author: { columns: { name: true } } } }))
  say('joined', await db.select({ title: schema.posts.title, name: schema.users.name }).from(schema.posts).leftJoin(schema.users, eq(schema.posts.authorId, schema.users.id)).orderBy(desc(schema.posts.id)))
  say('grouped', await db.select({ name: schema.users.name, n: count(schema.posts.id) }).from(schema.users).leftJoin(schema.posts, eq(schema.posts.authorId, schema.users.id)).groupBy(schema.users.id).orderBy(schema.users.id))

  schema = use(2)
  kit('generate', '--name=second')
  schema = use(3)
  kit('generate', '--name=third')
  kit('migrate')
  kit('migrate')
  db = drizzle(pool, { schema, mode: 'default' })
  say('kept', await db.select().from(schema.users).orderBy(schema.users.id))
  say('pushed', /No changes detected/.test(kit('push', '--force')))
  say('double', await db.insert(schema.users).values({ email: 'ann@example.org' }).catch(e => e.cause.code))
  await db.insert(schema.users).values({ email: 'ann@example.org', name: 'x' }).onDuplicateKeyUpdate({ set: { name: 'Anna', score: sql`score + 1` } })
  say('rolled back', await db.transaction(async tx => {
    await tx.delete(schema.posts)
    say('inside', await tx.$count(schema.posts))
    tx.rollback()
  }).catch(e => e.message))
  say('left', await db.$count(schema.posts))
  await db.transaction(async tx => {
    await tx.select().from(schema.users).where(eq(schema.users.name, 'Anna')).for('update')
    await tx.update(schema.users).set({ kind: 'b' }).where(eq(schema.users.name, 'Anna'))
  }, { isolationLevel: 'serializable' })
  const annas = db.$with('annas').as(db.select().from(schema.users).where(eq(schema.users.kind, 'b')))
  say('cte', await db.with(annas).select({ name: annas.name, score: annas.score }).from(annas))
  await db.delete(schema.users).where(eq(schema.users.kind, 'b'))
  say('after', await db.select({ title: schema.posts.title, author: schema.posts.authorId }).from(schema.posts).orderBy(schema.posts.id))

  // Another database, made by push alone, then pulled.
  await pool.query('DROP TABLE posts, users')
  await pool.query('DROP TABLE __drizzle_migrations')
  kit('push', '--force')
  say('pushed', /No changes detected/.test(kit('push', '--force')))
  fs.rmSync(path.join(work, 'out'), { recursive: true })
  kit('pull')
  const pulled = fs.readFileSync(path.join(work, 'out', 'schema.ts'), 'utf8')
  console.log(pulled.split('export const')[1] + pulled.split('export const')[2])
  await pool.end()
}

main().catch(e => { console.error(e); process.exit(1) })
