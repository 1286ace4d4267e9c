// A small shop with knex: migrations forward, CRUD, transactions, migrations back.
const knex = require('knex')

const migrations = {
  '1_first': {
    async up(k) {
      await k.schema.createTable('customers', t => {
        t.increments('id')
        t.string('email', 120).notNullable().unique()
        t.string('name').notNullable().index()
        t.json('settings')
        t.timestamps(true, true)
      })
      await k.schema.createTable('orders', t => {
        t.increments('id')
        t.integer('customer_id').unsigned().notNullable().references('id').inTable('customers').onDelete('CASCADE')
        t.decimal('total', 10, 2).defaultTo(0)
        t.enu('state', ['new', 'paid', 'sent']).defaultTo('new')
        t.date('day')
        t.index(['state', 'day'], 'by_state')
      })
      await k.schema.createTable('notes', t => {
        t.bigIncrements('id')
        t.integer('order_id').unsigned().references('orders.id').onDelete('SET NULL').onUpdate('CASCADE')
        t.text('body')
      })
    },
    async down(k) {
      for (const name of ['notes', 'orders', 'customers']) await k.schema.dropTable(name)
    },
  },
  '2_second': {
    async up(k) {
      await k.schema.alterTable('orders', t => {
        t.string('code', 20)
        t.decimal('total', 12, 4).notNullable().defaultTo(0).alter()
        t.dropIndex(['state', 'day'], 'by_state')
        t.unique(['customer_id', 'code'], { indexName: 'one_code' })
      })
      await k.schema.alterTable('customers', t => {
        t.renameColumn('name', 'full_name')
        t.boolean('active').notNullable().defaultTo(true)
      })
      await k.schema.alterTable('notes', t => {
        t.dropForeign('order_id')
        t.foreign('order_id', 'notes_order').references('orders.id').onDelete('CASCADE')
      })
      await k.schema.renameTable('notes', 'remarks')
    },
    async down(k) {
      await k.schema.renameTable('remarks', 'notes')
      await k.schema.alterTable('notes', t => {
        t.dropForeign('order_id', 'notes_order')
        t.foreign('order_id').references('orders.id').onDelete('SET NULL')
      })
      await k.schema.alterTable('customers', t => {
        t.renameColumn('full_name', 'name')
        t.dropColumn('active')
      })
      await k.schema.alterTable('orders', t => {
        t.index(['state', 'day'], 'by_state')
        t.index(['customer_id'], 'by_customer') // the foreign key wants an index
        t.dropUnique(['customer_id', 'code'], 'one_code')
        t.dropColumn('code')
        t.decimal('total', 10, 2).defaultTo(0).alter()
      })
    },
  },
}

const migrationSource = names => ({
  getMigrations: async () => names,
  getMigrationName: name => name,
  getMigration: async name => migrations[name],
})

const say = (what, value) => console.log(what + ':', JSON.stringify(value))

async function main() {
  const k = knex({
    client: 'mysql2',
    connection: { host: process.env.HOST, port: +process.env.PORT, user: 'root', database: process.env.DATABASE, dateStrings: true },
  })
  const latest = names => k.migrate.latest({ migrationSource: migrationSource(names) })
  say('first', (await latest(['1_first']))[1])
  await k('customers').insert([
    { email: 'ann@example.org', name: 'Ann', settings: JSON.stringify({ colour: 'red', sizes: [1, 2] }) },
    { email: 'bob@example.org', name: 'Bob' },
  ])
  const [ann] = await k('customers').where({ name: 'Ann' }).select('id', 'settings')
  say('settings', ann.settings)
  say('by a path', await k('customers').whereJsonPath('settings', '$.colour', '=', 'red').pluck('email'))
  const [order] = await k('orders').insert({ customer_id: ann.id, total: 12.5, day: '2024-05-06' })
  await k('notes').insert([{ order_id: order, body: 'fragile' }, { body: 'none' }])
  say('second', (await latest(['1_first', '2_second']))[1])
  say('again', (await latest(['1_first', '2_second']))[1])
  say('columns', await k('orders').columnInfo())
  say('has', [await k.schema.hasTable('remarks'), await k.schema.hasTable('notes'), await k.schema.hasColumn('customers', 'full_name')])
  await k('orders').insert([{ customer_id: ann.id, total: 3, code: 'A' }, { customer_id: ann.id + 1, total: 4, code: 'A' }])
  say('double', await k('orders').insert({ customer_id: ann.id, code: 'A' }).catch(e => e.code))
  say('no parent', await k('orders').insert({ customer_id: 999 }).catch(e => e.code))
  say('upsert', (await k('customers').insert({ email: 'bob@example.org', full_name: 'Robert' }).onConflict('email').merge(['full_name'])).length)
  say('ignored', (await k('customers').insert({ email: 'bob@example.org', full_name: 'X' }).onConflict('email').ignore()).length)
  say('joined', await k('customers as c').leftJoin('orders as o', 'o.customer_id', 'c.id').leftJoin('remarks as r', 'r.order_id', 'o.id')
    .select('c.full_name', 'o.total', 'r.body').orderBy(['c.full_name', 'o.total']))
  say('grouped', await k('orders').select('customer_id').sum({ total: 'total' }).count({ n: '*' }).groupBy('customer_id').having('n', '>', 1))
  say('rolled back', await k.transaction(async trx => {
    await trx('orders').del()
    say('inside', await trx('orders').count({ n: '*' }))
    await trx.transaction(async inner => { await inner('remarks').del() })
    throw new Error('no')
  }).catch(e => e.message))
  say('left', [await k('orders').count({ n: '*' }), await k('remarks').count({ n: '*' })])
  await k.transaction(async trx => {
    const rows = await trx('orders').where('customer_id', ann.id).forUpdate()
    await trx('orders').where('id', rows[0].id).update({ total: k.raw('total + ?', [1]) })
  })
  say('cte', await k.with('big', k('orders').where('total', '>', 3.5)).select('total').from('big').orderBy('total'))
  await k('customers').where('email', 'ann@example.org').del()
  say('cascaded', [await k('orders').count({ n: '*' }), await k('remarks').select('body')])
  say('back', (await k.migrate.rollback({ migrationSource: migrationSource(['1_first', '2_second']) }))[1])
  say('columns', Object.keys(await k('orders').columnInfo()))
  say('back', (await k.migrate.rollback({ migrationSource: migrationSource(['1_first', '2_second']) }, true))[1])
  say('tables', (await k.raw('SHOW TABLES'))[0].map(r => Object.values(r)[0]))
  await k.destroy()
}

main().catch(e => { console.error(e); process.exit(1) })
