"""A shop with Django: its own apps' tables, migrations made from models, forward and back, the ORM, inspectdb."""
import json, os, sys, io

import pymysql
pymysql.version_info = (1, 4, 6, "final", 0)  # Django 3 asks for mysqlclient, which may not be there
pymysql.install_as_MySQLdb()

import django
from django.conf import settings
from django.core.management import call_command
from django.db import models


def say(what, *values):
    print(what + ":", json.dumps(values, default=str))


STEP = int(os.environ.get("STEP", "0"))
WORK = os.environ["WORK"]


class MODELS:
    """What shop/models.py is, before and after."""
    text = '''
from django.db import models

class Author(models.Model):
    name = models.CharField(max_length={size}, {unique})
    extra = models.JSONField(null=True)
    born = models.DateField(null=True, db_index=True)
    teacher = models.ForeignKey("self", null=True, blank=True, on_delete=models.SET_NULL, related_name="pupils")
    {more}

class Tag(models.Model):
    word = models.SlugField(unique=True)

class Book(models.Model):
    id = models.UUIDField(primary_key=True, default=__import__("uuid").uuid4)
    title = models.CharField(max_length=100)
    price = models.DecimalField(max_digits=8, decimal_places=2, default=0)
    sold = models.BooleanField(default=False)
    made = models.DateTimeField(auto_now_add=True)
    length = models.DurationField(null=True)
    author = models.ForeignKey(Author, on_delete=models.CASCADE, related_name="books")
    tags = models.ManyToManyField(Tag)

    class Meta:
        {meta}

class Cover(models.Model):
    book = models.OneToOneField(Book, on_delete=models.CASCADE, primary_key=True)
    image = models.BinaryField()
    {cover}
'''
    first = text.format(size=80, unique="unique=True", more="nick = models.CharField(max_length=20, blank=True)", cover="",
                        meta='indexes = [models.Index(fields=["title", "-price"], name="by_title")]')
    second = text.format(size=200, unique="db_index=True", cover="pages = models.PositiveIntegerField(default=1)",
                         more="score = models.FloatField(default=1.5)\n    mail = models.EmailField(null=True, unique=True)",
                         meta='''unique_together = [("title", "author")]
        constraints = [models.CheckConstraint(check=models.Q(price__gte=0), name="not_negative"), models.UniqueConstraint(fields=["price", "author"], name="one_price")]
        db_table = "books"''')


def configure():
    os.makedirs(WORK + "/shop/migrations", exist_ok=True)
    with open(WORK + "/shop/urls.py", "w") as f:
        f.write("urlpatterns = []\n")
    for name in "/shop/__init__.py", "/shop/migrations/__init__.py":
        open(WORK + name, "a").close()
    sys.path.insert(0, WORK)
    settings.configure(
        SECRET_KEY="x", USE_TZ=True, DEFAULT_AUTO_FIELD="django.db.models.BigAutoField", ROOT_URLCONF="shop.urls",
        INSTALLED_APPS=["django.contrib.contenttypes", "django.contrib.auth", "django.contrib.sessions", "django.contrib.admin", "django.contrib.messages", "shop"],
        DATABASES={"default": {"ENGINE": "django.db.backends.mysql", "HOST": os.environ["HOST"], "PORT": os.environ["PORT"], "USER": "root",
                               "NAME": os.environ["DATABASE"], "OPTIONS": {"charset": "utf8mb4"}}},
        SILENCED_SYSTEM_CHECKS=["admin.E403", "admin.E408", "admin.E409", "admin.E410"])
    django.setup()


def manage(*args, **options):
    out = io.StringIO()
    call_command(*args, stdout=out, **{"verbosity": 1, **options})
    return [line.strip() for line in out.getvalue().splitlines() if line.strip()]


def step(n):
    """Runs a step as a process of its own: models are read once."""
    import subprocess
    with open(WORK + "/shop/models.py", "w") as f:
        f.write(MODELS.first if n == 1 else MODELS.second)
    r = subprocess.run([sys.executable, "-W", "ignore", __file__], env={**os.environ, "STEP": str(n)}, stdout=subprocess.PIPE)
    print(r.stdout.decode(), end="")
    sys.stdout.flush()
    if r.returncode:
        sys.exit(r.returncode)


def first():
    from django.contrib.auth.models import User, Group, Permission
    from django.db import connection
    from shop.models import Author, Book, Cover, Tag
    import datetime
    say("made", manage("makemigrations", "shop", "--name", "first")[0])
    say("migrated", len(manage("migrate")))
    say("again", manage("migrate")[-1])
    say("no changes", manage("makemigrations", "--check", "--dry-run"))
    manage("check", databases=["default"])
    root = User.objects.create_superuser("root", "root@example.org", "secret")
    root.groups.add(Group.objects.create(name="staff"))
    say("permissions", Permission.objects.filter(content_type__app_label="shop").count(), root.check_password("secret"))
    ann = Author.objects.create(name="Ann", born=datetime.date(1960, 2, 3), nick="a", extra={"colour": "red", "sizes": [1, 2.5], "deep": {"a": None}})
    Author.objects.create(name="Bob", teacher=ann)
    one = Book.objects.create(title="One", price="9.50", author=ann, length=datetime.timedelta(hours=1, microseconds=5))
    Book.objects.create(title="Two", price="3.25", author=ann)
    x, y = Tag.objects.bulk_create([Tag(word="x"), Tag(word="y")]) and Tag.objects.order_by("word")
    one.tags.set([x, y])
    Cover.objects.create(book=one, image=b"\0\xff'")


def second():
    from django.db import IntegrityError, connection, transaction
    from django.db.models import Avg, Count, Exists, F, OuterRef, Prefetch, Q, Subquery, Sum, Value, Window
    from django.db.models.functions import Coalesce, Concat, Lower, RowNumber, TruncMonth
    from shop.models import Author, Book, Cover, Tag
    say("made", len(manage("makemigrations", "shop", "--name", "second")) > 3)
    say("migrated", manage("migrate")[-1])
    say("no changes", manage("makemigrations", "--check", "--dry-run"))
    for a in Author.objects.select_related("teacher").prefetch_related(Prefetch("books", Book.objects.order_by("title")), "books__tags").order_by("name"):
        say("eager", a.name, a.score, a.extra, a.teacher and a.teacher.name, [(b.title, b.price, b.sold, b.length, sorted(t.word for t in b.tags.all())) for b in a.books.all()])
    say("cover", list(bytes(Cover.objects.select_related("book__author").get().image)), Cover.objects.get().pages)
    for q in Q(extra__colour="red"), Q(extra__sizes__1=2.5), Q(extra__contains={"colour": "red"}), Q(extra__has_key="deep"), Q(extra__deep__a=None), Q(extra__colour__icontains="RE"), Q(extra__isnull=True):
        say("json", str(q), list(Author.objects.filter(q).values_list("name", flat=True)))
    say("annotated", list(Author.objects.annotate(n=Count("books"), total=Coalesce(Sum("books__price"), 0, output_field=django.db.models.DecimalField())).order_by("name").values_list("name", "n", "total")))
    say("sub", list(Author.objects.annotate(best=Subquery(Book.objects.filter(author=OuterRef("pk")).order_by("-price").values("title")[:1])).order_by("name").values_list("name", "best")))
    say("exists", list(Author.objects.filter(Exists(Book.objects.filter(author=OuterRef("pk"), price__gt=5))).values_list("name", flat=True)))
    say("month", Book.objects.annotate(m=TruncMonth("made")).values("m").annotate(n=Count("id")).values_list("n", flat=True)[0])
    say("born", list(Author.objects.filter(born__year=1960, born__month__lt=3).values_list("name", flat=True)), list(Author.objects.dates("born", "year")))
    say("windowed", list(Book.objects.annotate(n=Window(RowNumber(), partition_by=F("author"), order_by=F("price").asc())).order_by("title").values_list("title", "n")))
    say("texts", list(Author.objects.annotate(t=Concat(Lower("name"), Value("!"))).filter(name__iregex="^a|^b").exclude(name__startswith="B").values_list("t", flat=True)))
    say("updated", Book.objects.filter(title="Two").update(price=F("price") + 1), Book.objects.aggregate(Avg("price"))["price__avg"])
    for what, make in ("double", lambda: Author.objects.create(name="x", mail="m@example.org")), ("double", lambda: Author.objects.create(name="y", mail="m@example.org")), \
            ("check", lambda: Book.objects.create(title="x", price=-1, author_id=1)), ("no parent", lambda: Book.objects.create(title="x", author_id=999)):
        try:
            with transaction.atomic():
                make()
            say(what, "made")
        except (IntegrityError, django.db.OperationalError) as e:
            say(what, type(e).__name__, e.args[0])
    try:
        with transaction.atomic():
            Book.objects.all().delete()
            try:
                with transaction.atomic():
                    Author.objects.update(name="gone")
                    raise KeyError
            except KeyError:
                say("inside", Book.objects.count(), list(Author.objects.order_by("name").values_list("name", flat=True)))
            raise KeyError
    except KeyError:
        say("rolled back", Book.objects.count(), Cover.objects.count())
    with transaction.atomic():
        b = Book.objects.select_for_update().get(title="Two")
        b.sold = True
        b.save()
    say("got", Author.objects.get_or_create(name="Cid")[1], Author.objects.update_or_create(name="Cid", defaults={"score": 3})[1], Author.objects.get(name="Cid").score)
    Tag.objects.bulk_create([Tag(word="x"), Tag(word="z")], ignore_conflicts=True)
    Author.objects.bulk_update([Author(id=a.id, score=a.id) for a in Author.objects.all()], ["score"])
    say("bulk", Tag.objects.count(), list(Author.objects.order_by("id").values_list("score", flat=True))[:2])
    with open(WORK + "/dump.json", "w") as f:
        call_command("dumpdata", "shop", stdout=f)
    before = [m.objects.count() for m in (Author, Book, Cover, Tag)]
    manage("flush", interactive=False)
    say("flushed", Author.objects.count())
    say("loaded", manage("loaddata", WORK + "/dump.json")[-1], before == [m.objects.count() for m in (Author, Book, Cover, Tag)])
    Author.objects.get(name="Ann").delete()
    say("deleted", Book.objects.count(), Cover.objects.count(), Author.objects.get(name="Bob").teacher, Book.tags.through.objects.count())
    inspected = manage("inspectdb", "shop_author", "books", "shop_cover")
    for line in inspected:
        if "=" in line:
            print(line)
    say("back", manage("migrate", "shop", "0001")[-1])
    say("columns", [c.name for c in connection.introspection.get_table_description(connection.cursor(), "shop_author")])
    say("back", manage("migrate", "shop", "zero")[-1])
    say("tables", [t for t in connection.introspection.table_names() if t.startswith("shop") or t == "books"])
    say("forward", manage("migrate", "shop")[-1])
    # The database of a test run, made and dropped.
    name = connection.creation.create_test_db(verbosity=0, autoclobber=True)
    say("test", Author.objects.count())
    connection.creation.destroy_test_db(os.environ["DATABASE"], verbosity=0)


if STEP == 0:
    os.makedirs(WORK + "/shop", exist_ok=True)
    step(1)
    step(2)
else:
    configure()
    first() if STEP == 1 else second()
