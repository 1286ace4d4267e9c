// The schema at three steps: as it begins, with things taken away, with things added. The kit asks a person whether a new
// column is a dropped one by another name, so no step does both.
const { mysqlTable, int, serial, varchar, text, json, boolean, decimal, datetime, mysqlEnum, index, uniqueIndex } = require('drizzle-orm/mysql-core')
const { relations } = require('drizzle-orm')

module.exports = step => {
  const users = mysqlTable('users', {
    id: int('id').autoincrement().primaryKey(),
    email: varchar('email', { length: 120 }).notNull().unique(),
    name: step === 1 ? varchar('name', { length: 50 }) : varchar('name', { length: 80 }).notNull().default('nobody'),
    settings: json('settings'),
    ...(step === 1 ? { active: boolean('active').notNull().default(true) } : {}),
    ...(step === 3 ? { score: decimal('score', { precision: 10, scale: 2 }).default('1.50'), kind: mysqlEnum('kind', ['a', 'b']).notNull().default('a') } : {}),
  }, t => step === 1 ? [index('by_name').on(t.name)] : step === 3 ? [index('by_kind').on(t.kind, t.name)] : [])
  const posts = mysqlTable('posts', {
    id: int('id').autoincrement().primaryKey(),
    title: varchar('title', { length: 100 }).notNull(),
    ...(step === 1 ? { body: text('body') } : {}),
    ...(step === 3 ? { slug: varchar('slug', { length: 50 }), made: datetime('made') } : {}),
    authorId: int('author_id').references(() => users.id, { onDelete: step === 1 ? 'cascade' : 'set null' }),
  }, t => step === 3 ? [uniqueIndex('one_slug').on(t.slug)] : [])
  const tags = mysqlTable('tags', { id: serial('id').primaryKey(), name: varchar('name', { length: 20 }), userId: int('user_id').references(() => users.id, { onDelete: 'set null' }) })
  return {
    users,
    posts,
    ...(step === 1 ? { tags } : {}),
    userRelations: relations(users, ({ many }) => ({ posts: many(posts) })),
    postRelations: relations(posts, ({ one }) => ({ author: one(users, { fields: [posts.authorId], references: [users.id] }) })),
  }
}
