// A library with Sequelize: associations, sync, a changed model, migrations by its query interface.
const { Sequelize, DataTypes, Op } = require('sequelize')

const say = (what, value) => console.log(what + ':', JSON.stringify(value))

function models(s, later) {
  const Author = s.define('Author', {
    name: { type: DataTypes.STRING(80), allowNull: false, unique: 'one_name' },
    born: DataTypes.DATEONLY,
    ...(later ? { score: { type: DataTypes.DECIMAL(10, 3), defaultValue: 1.5 }, kind: { type: DataTypes.ENUM('a', 'b'), defaultValue: 'b' } } : {}),
    extra: DataTypes.JSON,
  })
  const Book = s.define('Book', {
    id: { type: DataTypes.UUID, defaultValue: DataTypes.UUIDV4, primaryKey: true },
    title: { type: later ? DataTypes.STRING(300) : DataTypes.STRING(100), allowNull: false },
    pages: { type: DataTypes.INTEGER.UNSIGNED, validate: { min: 1 } },
    lent: { type: DataTypes.BOOLEAN, defaultValue: false },
    cover: DataTypes.BLOB,
  }, { indexes: [{ fields: ['title'], name: 'by_title' }, ...(later ? [{ unique: true, fields: ['title', 'pages'], name: 'one_title' }] : [])], paranoid: true, underscored: true })
  const Genre = s.define('Genre', { name: DataTypes.STRING(20) }, { timestamps: false })
  Author.hasMany(Book, { foreignKey: 'authorId', as: 'books', onDelete: 'CASCADE' })
  Book.belongsTo(Author, { foreignKey: 'authorId', as: 'author', onDelete: 'CASCADE' })
  Author.belongsTo(Author, { as: 'teacher', foreignKey: { name: 'teacherId', allowNull: true }, onDelete: 'SET NULL' })
  Book.belongsToMany(Genre, { through: 'book_genres', as: 'genres' })
  Genre.belongsToMany(Book, { through: 'book_genres', as: 'books' })
  return { Author, Book, Genre }
}

async function main() {
  const open = () => new Sequelize(process.env.DATABASE, 'root', '', { host: process.env.HOST, port: +process.env.PORT, dialect: 'mysql',
    logging: process.env.VERBOSE ? console.error : false })
  let s = open()
  let { Author, Book, Genre } = models(s, false)
  await s.authenticate()
  await s.sync()
  await s.sync()
  const ann = await Author.create({ name: 'Ann', born: '1960-02-03', extra: { colour: 'red', n: [1, 2] },
    books: [{ title: 'One', pages: 10, cover: Buffer.from([0, 255, 39]), genres: [{ name: 'x' }, { name: 'y' }] }, { title: 'Two', pages: 20 }] },
  { include: [{ model: Book, as: 'books', include: [{ model: Genre, as: 'genres' }] }] })
  await Author.create({ name: 'Bob', teacherId: ann.id })
  await Author.bulkCreate([{ name: 'Cid' }, { name: 'Dan' }])
  const found = await Author.findOne({ where: { name: 'Ann' }, include: [{ model: Book, as: 'books', include: ['genres'] }], order: [['books', 'title'], ['books', 'genres', 'name']] })
  say('eager', [found.born, found.extra, found.books.map(b => [b.title, b.lent, b.cover && [...b.cover], b.genres.map(g => g.name)])])
  say('paged', (await Author.findAndCountAll({ include: [{ model: Book, as: 'books' }], limit: 2, offset: 0, distinct: true, order: ['id'] })).count)
  say('by a path', await Author.count({ where: { 'extra.colour': 'red' } }))
  await s.close()

  s = open();
  ({ Author, Book, Genre } = models(s, true))
  await s.sync({ alter: true })
  await s.sync({ alter: true })
  const q = s.getQueryInterface()
  say('tables', (await q.showAllTables()).sort())
  const described = await q.describeTable('Authors')
  say('described', Object.entries(described).map(([n, c]) => [n, c.type, c.allowNull, c.defaultValue, c.primaryKey, c.autoIncrement]))
  say('indexes', (await q.showIndex('Books')).map(i => [i.name, i.unique, i.fields.map(f => f.attribute)]).filter(i => i[0] !== 'authorId'))
  say('keys', (await q.getForeignKeyReferencesForTable('Books')).map(k => [k.columnName, k.referencedTableName, k.referencedColumnName])[0])
  say('kept', (await Book.findAll({ include: 'author', order: ['title'] })).map(b => [b.title, b.pages, b.author.name, b.author.score, b.author.kind]))
  say('grouped', await Author.findAll({ attributes: ['name', [s.fn('COUNT', s.col('books.id')), 'n']], include: [{ model: Book, as: 'books', attributes: [] }], group: ['Author.id'], order: ['id'], raw: true }))
  say('rolled back', await s.transaction(async transaction => {
    await Book.destroy({ where: {}, force: true, transaction })
    say('inside', await Book.count({ transaction }))
    throw new Error('no')
  }).catch(e => e.message))
  say('left', await Book.count())
  await s.transaction({ isolationLevel: 'SERIALIZABLE' }, async transaction => {
    const one = await Book.findOne({ where: { title: 'One' }, lock: transaction.LOCK.UPDATE, transaction })
    await one.increment('pages', { by: 5, transaction })
  })
  say('double', await Author.create({ name: 'Ann' }).catch(e => [e.name, Object.keys(e.fields)]))
  say('no parent', await Book.create({ title: 'x', authorId: 999 }).catch(e => [e.name, e.table, e.fields]))
  const [, made] = await Author.findOrCreate({ where: { name: 'Eve' }, defaults: { born: '1990-01-01' } })
  say('made', made)
  await Author.upsert({ name: 'Eve', born: '1991-01-01' })
  say('upserted', (await Author.findOne({ where: { name: { [Op.like]: 'E%' } } })).born)
  await Book.destroy({ where: { title: 'Two' } })
  say('paranoid', [await Book.count(), await Book.count({ paranoid: false })])
  await Author.destroy({ where: { name: 'Ann' } })
  say('after', [await Book.count({ paranoid: false }), (await Author.findOne({ where: { name: 'Bob' } })).teacherId, (await s.query('SELECT COUNT(*) AS n FROM book_genres'))[0]])
  await Author.truncate().catch(e => say('truncated', e.parent.code))

  await q.createTable('pets', { id: { type: DataTypes.INTEGER, primaryKey: true, autoIncrement: true }, name: DataTypes.STRING(20),
    owner: { type: DataTypes.INTEGER, references: { model: 'Authors', key: 'id' }, onDelete: 'SET NULL', onUpdate: 'CASCADE' } })
  await q.bulkInsert('pets', [{ name: 'a' }, { name: 'b' }])
  await q.addColumn('pets', 'kind', { type: DataTypes.ENUM('cat', 'dog'), allowNull: false, defaultValue: 'cat' })
  await q.changeColumn('pets', 'name', { type: DataTypes.STRING(50), allowNull: false, defaultValue: 'x' })
  await q.renameColumn('pets', 'name', 'called')
  await q.addIndex('pets', ['kind', 'called'], { name: 'by_kind' })
  await q.addConstraint('pets', { fields: ['called'], type: 'unique', name: 'one_called' })
  await q.addConstraint('pets', { fields: ['kind'], type: 'foreign key', name: 'odd', references: { table: 'Authors', field: 'id' } }).catch(e => say('refused', e.parent.errno))
  say('pets', Object.entries(await q.describeTable('pets')).map(([n, c]) => [n, c.type, c.allowNull]))
  await q.removeConstraint('pets', 'one_called')
  await q.removeIndex('pets', 'by_kind')
  await q.removeConstraint('pets', 'pets_ibfk_1')
  await q.removeColumn('pets', 'owner')
  await q.removeColumn('pets', 'kind')
  await q.renameTable('pets', 'animals')
  say('animals', (await s.query('SELECT * FROM animals ORDER BY id'))[0])
  await s.sync({ force: true })
  say('emptied', await Author.count())
  await q.dropTable('animals')
  await s.drop()
  say('tables', await q.showAllTables())
  await s.close()
}

main().catch(e => { console.error(e); process.exit(1) })
