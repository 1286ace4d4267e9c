"""A shop with SQLAlchemy and Alembic: migrations made from models, forward and back; the session; reflection."""
import json, os, sys, textwrap
from sqlalchemy import (JSON, Boolean, Column, Date, DateTime, Enum, ForeignKey, Index, Integer, LargeBinary, MetaData, Numeric, String, Table, Text,
                        UniqueConstraint, create_engine, func, inspect, select, text)
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.automap import automap_base
from sqlalchemy.orm import Session, declarative_base, joinedload, relationship, selectinload, subqueryload
import datetime, decimal

URL = "mysql+pymysql://root@%s:%s/%s" % (os.environ["HOST"], os.environ["PORT"], os.environ["DATABASE"])


def say(what, *values):
    print(what + ":", json.dumps(values, default=str))


def models(step):
    base = declarative_base()
    tagged = Table("tagged", base.metadata, Column("item_id", ForeignKey("items.id", ondelete="CASCADE"), primary_key=True),
                   Column("tag_id", ForeignKey("tags.id", ondelete="CASCADE"), primary_key=True))

    class Customer(base):
        __tablename__ = "customers"
        id = Column(Integer, primary_key=True)
        email = Column(String(120), nullable=False, unique=True)
        name = Column(String(80) if step == 1 else String(200), nullable=step == 1, index=True)
        settings = Column(JSON)
        if step == 1:
            nick = Column(String(20))
        else:
            score = Column(Numeric(10, 2), server_default=text("'1.50'"), nullable=False)
            kind = Column(Enum("a", "b"), server_default="a")
        boss_id = Column(ForeignKey("customers.id", ondelete="SET NULL"))
        boss = relationship("Customer", remote_side=[id])
        items = relationship("Item", back_populates="customer", cascade="all, delete", passive_deletes=True, order_by="Item.id")

    class Item(base):
        __tablename__ = "items"
        id = Column(Integer, primary_key=True)
        title = Column(String(100), nullable=False)
        body = Column(Text)
        day = Column(Date)
        made = Column(DateTime, server_default=text("CURRENT_TIMESTAMP"))
        done = Column(Boolean, nullable=False, default=False)
        blob = Column(LargeBinary)
        customer_id = Column(ForeignKey("customers.id", name="items_customer", ondelete="CASCADE"), nullable=False)
        customer = relationship("Customer", back_populates="items")
        tags = relationship("Tag", secondary=tagged, order_by="Tag.id")
        if step == 1:
            __table_args__ = (Index("by_day", "day", "title"),)
        else:
            code = Column(String(10))
            __table_args__ = (UniqueConstraint("code", "customer_id", name="one_code"), {"comment": "things"})

    class Tag(base):
        __tablename__ = "tags"
        id = Column(Integer, primary_key=True)
        name = Column(String(30), unique=True)

    return base, Customer, Item, Tag


def alembic():
    """The folder that `alembic init` makes, shortened."""
    from alembic.config import Config
    work = os.environ["WORK"]
    os.makedirs(work + "/migrations/versions")
    here = os.path.dirname(os.path.abspath(__file__))
    with open(work + "/migrations/env.py", "w") as f:
        f.write(textwrap.dedent("""
            import sys
            sys.path.insert(0, %r)
            import alchemy
            from alembic import context
            with alchemy.create_engine(alchemy.URL).connect() as c:
                context.configure(connection=c, target_metadata=alchemy.models(alchemy.STEP)[0].metadata, compare_type=True, compare_server_default=True)
                with context.begin_transaction():
                    context.run_migrations()
        """ % here))
    with open(work + "/migrations/script.py.mako", "w") as f:
        f.write(textwrap.dedent('''
            from alembic import op
            import sqlalchemy as sa
            from sqlalchemy.dialects import mysql
            ${imports if imports else ""}
            revision = ${repr(up_revision)}
            down_revision = ${repr(down_revision)}
            branch_labels = depends_on = None

            def upgrade():
                ${upgrades if upgrades else "pass"}

            def downgrade():
                ${downgrades if downgrades else "pass"}
        '''))
    config = Config()
    config.set_main_option("script_location", work + "/migrations")
    return config


def main():
    from alembic import command
    global STEP
    config = alembic()

    def differences(step):
        """What autogenerate would still write."""
        from alembic.autogenerate import compare_metadata
        from alembic.runtime.migration import MigrationContext
        with engine.connect() as c:
            context = MigrationContext.configure(c, opts={"compare_type": True, "compare_server_default": True})
            return [str(d) for d in compare_metadata(context, models(step)[0].metadata)]

    engine = create_engine(URL)
    STEP = sys.modules["alchemy"].STEP = 1
    command.revision(config, "first", autogenerate=True, rev_id="1")
    command.upgrade(config, "head")
    say("after the first", differences(1))

    _, Customer, Item, Tag = models(1)
    with Session(engine) as s:
        ann = Customer(email="ann@example.org", name="Ann", nick="a", settings={"colour": "red", "sizes": [1, 2.5], "none": None})
        x, y = Tag(name="x"), Tag(name="y")
        ann.items = [Item(title="One", day=datetime.date(2024, 5, 6), blob=b"\0\xff'", tags=[x, y]), Item(title="Two", tags=[y])]
        s.add_all([ann, Customer(email="bob@example.org", name="Bob", boss=ann)])
        s.commit()

    STEP = sys.modules["alchemy"].STEP = 2
    command.revision(config, "second", autogenerate=True, rev_id="2")
    command.upgrade(config, "head")
    say("after the second", differences(2))
    _, Customer, Item, Tag = models(2)
    with Session(engine) as s:
        for how in joinedload, selectinload, subqueryload:
            for c in s.scalars(select(Customer).options(how(Customer.items), how(Customer.boss)).order_by(Customer.id)).unique():
                say("eager", c.name, c.settings, c.score, c.kind, [(i.title, i.day, i.done, i.blob and list(i.blob), [t.name for t in i.tags]) for i in c.items], c.boss and c.boss.name)
            s.expire_all()
        say("by a path", s.scalars(select(Customer.name).where(Customer.settings["colour"].as_string() == "red")).all())
        say("by a number", s.scalars(select(Customer.name).where(Customer.settings["sizes"][1].as_float() > 2)).all())
        say("grouped", [tuple(r) for r in s.execute(select(Customer.name, func.count(Item.id)).outerjoin(Item).group_by(Customer.id).order_by(Customer.id))])
        part = func.row_number().over(partition_by=Item.customer_id, order_by=Item.title.desc())
        say("windowed", [tuple(r) for r in s.execute(select(Item.title, part).order_by(Item.title))])
        say("exists", s.scalars(select(Tag.name).where(~Tag.id.in_(select(text("tag_id")).select_from(text("tagged")).where(text("item_id = 1"))))).all())
        s.add(Customer(email="ann@example.org", name="x"))
        try:
            s.commit()
        except IntegrityError as e:
            say("double", e.orig.args[0])
            s.rollback()
        s.add(Item(title="x", customer_id=999))
        try:
            s.commit()
        except IntegrityError as e:
            say("no parent", e.orig.args[0])
            s.rollback()
        s.query(Item).delete()
        with s.begin_nested() as inner:
            s.execute(text("UPDATE customers SET name = 'gone'"))
            inner.rollback()
        say("inside", s.query(Item).count(), s.scalars(select(Customer.name).order_by(Customer.id)).all())
        s.rollback()
        say("rolled back", s.query(Item).count())
        one = s.scalars(select(Customer).where(Customer.name == "Ann").with_for_update()).one()
        one.settings = {**one.settings, "colour": "blue"}
        one.score += decimal.Decimal("0.25")
        s.commit()
        say("changed", s.get(Customer, one.id).settings["colour"], s.get(Customer, one.id).score)

    i = inspect(engine)
    say("tables", sorted(i.get_table_names()), i.get_view_names())
    for c in i.get_columns("customers"):
        say("column", c["name"], str(c["type"]), c["nullable"], c["default"])
    say("indexes", sorted((x["name"], x["column_names"], x["unique"]) for x in i.get_indexes("items")))
    say("unique", i.get_unique_constraints("items"))
    say("keys", i.get_pk_constraint("tagged"), [(k["constrained_columns"], k["referred_table"], k["options"]) for k in i.get_foreign_keys("tagged")])
    say("comment", i.get_table_comment("items"))
    automap = automap_base()
    automap.prepare(engine, reflect=True)
    with Session(engine) as s:
        ann = s.query(automap.classes.customers).filter_by(email="ann@example.org").one()
        say("reflected", ann.name, [r.title for r in ann.items_collection], sorted(automap.classes.keys()))
        s.delete(ann.items_collection[0])
        s.flush()
        s.rollback()
    with Session(engine) as s:
        s.delete(s.scalars(select(Customer).where(Customer.email == "ann@example.org")).one())
        s.commit()
        say("cascaded", s.query(Item).count(), s.scalar(text("SELECT COUNT(*) FROM tagged")), s.scalars(select(Customer.boss_id)).all())

    command.downgrade(config, "-1")
    say("back", differences(1))
    command.downgrade(config, "base")
    say("tables", inspect(engine).get_table_names())
    base = models(2)[0]
    base.metadata.create_all(engine)
    base.metadata.create_all(engine)
    reflected = MetaData()
    reflected.reflect(engine)
    say("reflected", sorted(reflected.tables))
    reflected.drop_all(engine)
    say("tables", inspect(engine).get_table_names())


if __name__ == "__main__":
    import alchemy
    alchemy.main()
