# People and pets with Peewee: models, errors, migrations, models made of what is there.
import os, datetime, decimal
from peewee import *
from playhouse.reflection import Introspector, generate_models
from playhouse.migrate import MySQLMigrator, migrate
try:
    from playhouse.mysql_ext import JSONField
except Exception as e: print('nojson', e); JSONField=TextField
db = MySQLDatabase(os.environ['DATABASE'], host=os.environ['HOST'], port=int(os.environ['PORT']), user='root', charset='utf8mb4')
class Base(Model):
    class Meta: database = db
class Person(Base):
    name = CharField(unique=True); born = DateField(null=True); t = TimeField(null=True); doc = JSONField(null=True)
    price = DecimalField(10,2,default=0); active=BooleanField(default=True); blob=BlobField(null=True)
    at=DateTimeField(default=datetime.datetime(2024,1,2,3,4,5)); f=DoubleField(null=True); u=UUIDField(null=True)
    big=BigIntegerField(null=True)
class Pet(Base):
    owner = ForeignKeyField(Person, backref='pets', on_delete='CASCADE'); name = CharField(index=True)
    class Meta: indexes=((('owner','name'),True),)
db.connect(); db.drop_tables([Pet,Person]); db.create_tables([Person,Pet])
a=Person.create(name='Žofie 😀', born=datetime.date(1990,2,3), t=datetime.time(1,2,3), doc={'a':[1,2.5,None,'é']}, price=decimal.Decimal('12.30'), blob=b'\x00\xff', f=1.5, big=2**62)
b=Person.create(name='Bob')
Pet.insert_many([{'owner':a,'name':'x'},{'owner':a,'name':'y'},{'owner':b,'name':'x'}]).execute()
for p in Person.select().order_by(Person.id): print(p.__data__)
print([ (r.name,r.n) for r in Person.select(Person.name, fn.COUNT(Pet.id).alias('n')).join(Pet, JOIN.LEFT_OUTER).group_by(Person.id).order_by(Person.id).objects()])
try:
    with db.atomic(): Person.create(name='Bob')
except IntegrityError as e: print(e.args)
with db.atomic() as t:
    Person.update(price=Person.price+1).execute()
    try:
        with db.atomic(): Pet.create(owner=99,name='q')
    except IntegrityError as e: print(e.args[0])
    t.rollback()
print([p.price for p in Person.select()])
print(Person.insert(name='Bob', price=5).on_conflict(preserve=[Person.price], update={Person.f: 2}).execute() is not None, Person.get(name='Bob').price)
print(Person.replace(name='Cid').execute()>0, Person.select().count())
print([p.name for p in Person.select().where(Person.name.contains('o') & Person.born.is_null()).order_by(Person.name.desc())])
print([x for x in Person.select(Person.born.year, fn.GROUP_CONCAT(Person.name)).where(Person.born.is_null(False)).group_by(Person.born.year).tuples()])
print([tuple(x) for x in db.get_columns('person')]); print([tuple(x) for x in db.get_indexes('pet')])
print([tuple(x) for x in db.get_foreign_keys('pet')])
print(db.get_primary_keys('pet'), db.get_tables(), db.get_views())
m=MySQLMigrator(db)
migrate(m.add_column('pet','kind',CharField(default='cat')), m.add_index('pet',('kind',),False), m.rename_column('pet','name','nick'), m.drop_not_null('pet','kind'), m.add_not_null('pet','kind'), m.rename_table('pet','animal'))
print([tuple(x)[:4] for x in db.get_columns('animal')]); print([tuple(x) for x in db.get_indexes('animal')])
migrate(m.drop_index('animal','pet_kind') , m.drop_column('animal','kind'), m.drop_index('animal','pet_owner_id_name'), m.drop_column('animal','owner_id'))
M=generate_models(db); print(sorted(M), [f.name+':'+type(f).__name__ for f in M['person']._meta.sorted_fields])
print(Person.delete().where(Person.name=='Bob').execute())
db.drop_tables([Pet,Person]); db.execute_sql('drop table animal')
