// A blog with TypeORM: synchronize, relations, a changed schema, migrations forward and back.
require('reflect-metadata')
const { DataSource, EntitySchema, Table, TableColumn, TableForeignKey, TableIndex } = require('typeorm')

const User = later => new EntitySchema({
  name: 'User',
  tableName: 'users',
  columns: {
    id: { type: 'int', primary: true, generated: true },
    email: { type: 'varchar', length: 120, unique: true },
    name: later ? { type: 'varchar', length: 200, nullable: true } : { type: 'varchar' },
    ...(later ? { score: { type: 'decimal', precision: 10, scale: 2, default: 0 }, kind: { type: 'enum', enum: ['a', 'b'], default: 'a' } }
      : { nick: { type: 'varchar', length: 20, nullable: true } }),
    settings: { type: 'json', nullable: true },
    active: { type: 'boolean', default: true },
    created: { type: 'datetime', createDate: true },
    updated: { type: 'datetime', updateDate: true },
    deleted: { type: 'datetime', deleteDate: true },
  },
  relations: {
    posts: { type: 'one-to-many', target: 'Post', inverseSide: 'author', cascade: true },
    profile: { type: 'one-to-one', target: 'Profile', inverseSide: 'user' },
  },
})

const Profile = new EntitySchema({
  name: 'Profile',
  columns: { id: { type: 'varchar', length: 36, primary: true, generated: 'uuid' }, bio: { type: 'text', nullable: true }, photo: { type: 'blob', nullable: true } },
  relations: { user: { type: 'one-to-one', target: 'User', joinColumn: true, onDelete: 'CASCADE', inverseSide: 'profile' } },
})

const Post = later => new EntitySchema({
  name: 'Post',
  columns: {
    id: { type: 'bigint', primary: true, generated: true },
    title: { type: 'varchar', length: 100 },
    published: { type: 'timestamp', precision: 3, nullable: true },
    ...(later ? { slug: { type: 'varchar', length: 50, nullable: true } } : {}),
  },
  relations: {
    author: { type: 'many-to-one', target: 'User', inverseSide: 'posts', nullable: true, onDelete: later ? 'SET NULL' : 'CASCADE', joinColumn: true },
    tags: { type: 'many-to-many', target: 'Tag', joinTable: true, cascade: ['insert'] },
  },
  indices: later ? [{ columns: ['slug'], unique: true }, { name: 'by_title', columns: ['title', 'published'] }] : [{ columns: ['title'] }],
})

const Tag = new EntitySchema({ name: 'Tag', columns: { id: { type: 'int', primary: true, generated: 'increment' }, name: { type: 'varchar', length: 30 } },
  uniques: [{ columns: ['name'] }] })

const say = (what, value) => console.log(what + ':', JSON.stringify(value))

const source = more => new DataSource({ type: 'mysql', host: process.env.HOST, port: +process.env.PORT, username: 'root', database: process.env.DATABASE, ...more })

// changes is how many statements synchronizing takes.
const changes = async db => {
  const queries = (await db.driver.createSchemaBuilder().log()).upQueries.map(q => q.query)
  if (process.env.VERBOSE) console.error(queries)
  return queries.length
}

async function main() {
  let db = await source({ entities: [User(false), Profile, Post(false), Tag], synchronize: true }).initialize()
  say('first', await changes(db) === 0)
  const users = db.getRepository('User')
  const ann = await users.save({ email: 'ann@example.org', name: 'Ann', nick: 'a', settings: { colour: 'red', sizes: [1, 2.5] },
    posts: [{ title: 'One', published: new Date('2024-05-06T07:08:09.123Z'), tags: [{ name: 'x' }, { name: 'y' }] }, { title: 'Two' }] })
  await users.save({ email: 'bob@example.org', name: 'Bob' })
  await db.getRepository('Profile').save({ bio: 'long', photo: Buffer.from([0, 255, 39]), user: ann })
  const found = await users.findOne({ where: { email: 'ann@example.org' }, relations: { posts: { tags: true }, profile: true }, order: { posts: { title: 'ASC', tags: { name: 'ASC' } } } })
  say('eager', [found.name, found.settings, found.active, found.posts.map(p => [p.title, p.published, p.tags.map(t => t.name)]), found.profile.bio, [...found.profile.photo]])
  say('paged', (await users.findAndCount({ relations: { posts: true }, skip: 0, take: 1, order: { id: 'DESC' } }))[1])
  await db.destroy()

  db = await source({ entities: [User(true), Profile, Post(true), Tag], synchronize: true }).initialize()
  say('second', await changes(db) === 0)
  await db.synchronize()
  say('third', await changes(db) === 0)
  const posts = db.getRepository('Post')
  say('kept', await posts.find({ select: { title: true, slug: true }, order: { id: 'ASC' } }))
  say('built', await posts.createQueryBuilder('p').leftJoinAndSelect('p.author', 'u').leftJoinAndSelect('p.tags', 't').where('u.name LIKE :n', { n: 'A%' })
    .orderBy('p.id').addOrderBy('t.id').getMany().then(l => l.map(p => [p.id, p.author.email, p.author.score, p.author.kind, p.tags.length])))
  say('counted', await db.getRepository('User').createQueryBuilder('u').leftJoin('u.posts', 'p').select('u.name', 'name').addSelect('COUNT(p.id)', 'n').groupBy('u.id').orderBy('u.id').getRawMany())
  say('rolled back', await db.transaction(async m => {
    await m.getRepository('Post').createQueryBuilder().delete().execute()
    say('inside', await m.getRepository('Post').count())
    throw new Error('no')
  }).catch(e => e.message))
  say('left', await posts.count())
  await db.getRepository('User').upsert([{ email: 'bob@example.org', name: 'Robert' }, { email: 'cid@example.org', name: 'Cid' }], ['email'])
  say('upserted', (await db.getRepository('User').find({ order: { id: 'ASC' } })).map(u => u.name))
  say('double', await db.getRepository('Tag').insert({ name: 'x' }).catch(e => e.code))
  await db.getRepository('User').softDelete({ name: 'Cid' })
  say('soft', [await db.getRepository('User').count(), await db.getRepository('User').count({ withDeleted: true })])
  await db.getRepository('User').delete({ email: 'ann@example.org' })
  say('after', [await posts.count(), (await posts.find({ relations: { author: true } })).map(p => p.author), await db.getRepository('Profile').count()])

  const q = db.createQueryRunner()
  const table = await q.getTable('Post') ?? await q.getTable('post')
  say('seen', [table.columns.map(c => [c.name, c.type, c.isNullable]), table.indices.map(i => [i.columnNames, i.isUnique]).sort(), table.foreignKeys.map(f => [f.columnNames, f.referencedTableName, f.onDelete])])
  await q.release()
  await db.dropDatabase()
  await db.destroy()

  class First1700000000001 {
    async up(r) {
      await r.createTable(new Table({ name: 'owner', columns: [{ name: 'id', type: 'int', isPrimary: true, isGenerated: true, generationStrategy: 'increment' }, { name: 'name', type: 'varchar', length: '40' }] }))
      await r.createTable(new Table({ name: 'pet', columns: [{ name: 'id', type: 'int', isPrimary: true, isGenerated: true, generationStrategy: 'increment' }, { name: 'owner_id', type: 'int', isNullable: true }],
        foreignKeys: [{ name: 'pet_owner', columnNames: ['owner_id'], referencedTableName: 'owner', referencedColumnNames: ['id'], onDelete: 'CASCADE' }] }))
    }
    async down(r) { await r.dropTable('pet'); await r.dropTable('owner') }
  }
  class Second1700000000002 {
    async up(r) {
      await r.addColumn('pet', new TableColumn({ name: 'kind', type: 'varchar', length: '20', default: "'cat'" }))
      await r.changeColumn('owner', 'name', new TableColumn({ name: 'full_name', type: 'varchar', length: '40', isNullable: true }))
      await r.createIndex('pet', new TableIndex({ name: 'by_kind', columnNames: ['kind'] }))
      await r.dropForeignKey('pet', 'pet_owner')
      await r.createForeignKey('pet', new TableForeignKey({ name: 'pet_owner_2', columnNames: ['owner_id'], referencedTableName: 'owner', referencedColumnNames: ['id'], onDelete: 'SET NULL' }))
    }
    async down(r) {
      await r.dropForeignKey('pet', 'pet_owner_2')
      await r.createForeignKey('pet', new TableForeignKey({ name: 'pet_owner', columnNames: ['owner_id'], referencedTableName: 'owner', referencedColumnNames: ['id'], onDelete: 'CASCADE' }))
      await r.dropIndex('pet', 'by_kind')
      await r.renameColumn('owner', 'full_name', 'name')
      await r.dropColumn('pet', 'kind')
    }
  }
  db = await source({ migrations: [First1700000000001, Second1700000000002] }).initialize()
  say('migrated', (await db.runMigrations()).map(m => m.name))
  await db.query("INSERT INTO owner (full_name) VALUES ('Ann')")
  await db.query('INSERT INTO pet (owner_id) VALUES (1), (NULL)')
  say('pets', await db.query('SELECT p.kind, o.full_name FROM pet p LEFT JOIN owner o ON o.id = p.owner_id ORDER BY p.id'))
  await db.undoLastMigration()
  say('pets', await db.query('SELECT p.*, o.name FROM pet p LEFT JOIN owner o ON o.id = p.owner_id ORDER BY p.id'))
  await db.undoLastMigration()
  say('tables', (await db.query('SHOW TABLES')).map(r => Object.values(r)[0]))
  await db.destroy()
}

main().catch(e => { console.error(e); process.exit(1) })
