import { spacedLanguage } from "./spaced.ts";

export const FRENCH = spacedLanguage({
  code: "fr",
  name: "French",
  script: "latin",
  elided: "l d j n m t s c qu jusqu lorsqu puisqu",
  leadsOn:
    /(?<![a-z])(?:oui|ok|d'accord|continu|poursui|avan|commenc|procede|vas-y|allez|suivant|pret|bien|correct|confirm|parfait|bon)/,
  // Who is asked to do "that" does not know what it is.
  pointing: [/(?<![a-z])(?:fai[st]|fair|faisons|utilis)/u, /(?<![a-z])(?:le|ce|cet|cette|ces|ca|en|ainsi)(?![a-z])/u],
  doingNothing:
    "annuler, ignorer, passer, non, pas maintenant, plus tard, pas encore, laisser ainsi, autre chose, à vous de choisir, arrêter",
  endings:
    "e es s ent er ez ons é ée és ées ant ais ait aient erait eraient ir it issent re x aux al ale ales if ive ifs ives ment",
  words: `
    sept huit neuf vingt cinquante cent convention conventions nommage quantité hauteur largeur longueur taille tailles position endroit
    animation animations transition transitions fond bord bords ombre ombres coin coins cartes lien liens accueil logique boucle condition
    paramètre paramètres objet objets naturel naturelle aide étiquette étiquettes libellé article articles source citation somme total partiel
    partielle optionnel facultatif obligatoire valide invalide progression ennemi ennemis score manche difficulté facile difficile suffit
    suffisant assez joli jolie visuel visuelle écran écrans mobile comportement critère critères dois-je faut-il doit-on peut-on est-ce quelques
    plusieurs préfères veux-tu voulez-vous souhaitez-vous aimerais t-on je tu il elle on nous vous ils elles me te se moi toi mon ma mes ton ta
    tes son sa ses notre nos votre vos leur le la les un une des du de d et ou mais aussi comme comment que quoi qui quel quelle quels quelles
    où quand combien pourquoi car pour par avec à a au aux en dans entre sur sous selon vers chez moins très trop peu beaucoup chaque deux trois
    quatre cinq six dix certains certaines autre autres est sont était être serait soit ai as ont avons avez avoir doit doivent dois devrait
    devraient devons peut peuvent peux pourrait faut faudrait veux voulez voudriez voulons souhaitez souhaites préfér* préfère préférez
    préférez-vous aimez aimeriez va vont aller fais fait faisons faire utilis* montr* affich* écri* écrire écrit écrite écrits lire lis lisible
    lisibles expliqu* décri* compar* choisi* choix décid* recommand* recommandé suggér* ajout* inclu* inclure couvr* couvrir couvert* trier tri
    tri* continu* continue continuer continuons poursuiv* commenc* commence group* filtr* format* test* vérifi* contrôl* nomm* nommer appel*
    appeler appelle plac* placer align* centr* dessin* conce* conçu refactor* simplifi* document* comment* tradui* arrondi* compt* calcul*
    mesur* présent* présenter structur* organis* détaill* soulign* support* oui non ok bien mieux meilleur meilleure maintenant d'abord abord
    premier première premiers premières deuxième second seconde dernier dernière ensuite puis seulement peut-être ainsi ici pas ne si couleur
    couleurs bleu bleue rouge vert verte jaune gris grise noir noire blanc blanche orange marron rose violet violette clair claire sombre
    contraste palette tons thème thèmes style styles aspect apparence police polices lettre lettres typographie titre titres sous-titre entête
    pied texte textes mot mots phrase phrases paragraphe paragraphes lignes colonne colonnes page pages mise marge marges espacement bouton
    boutons menu menus barre barres latérale icône icônes image images graphique graphiques diagramme diagrammes cercle grille grilles liste
    listes tableau tableaux champ champs formulaire formulaires entrée entrées sortie sorties avis message messages erreur erreurs exemple
    exemples guide guides documentation commentaire commentaires description descriptions introduction résumé section sections chapitre
    chapitres contenu langue langues français anglais allemand espagnol nom noms fonction fonctions classe classes module modules méthode
    méthodes variable variables type types format formats date dates heure heures fuseau horaire temps nombre nombres numéro unité unités mètres
    kilomètres degrés pourcentage décimale décimales jour jours semaine semaines mois an ans année années minute minutes secondes janvier
    février mars avril mai juin juillet août septembre octobre novembre décembre lundi mardi mercredi jeudi vendredi samedi dimanche approche
    approches variante variantes option options ordre structure structures architecture motif bibliothèque bibliothèques cadre base données
    outil outils version versions portée fonctionnalité fonctionnalités recherche vue vues aperçu défaut valeur valeurs partie parties cas
    limite limites couverture composant composants interface débutant débutants avancé avancée objectif question questions réponse réponses
    détail détails détaillé détaillée bref brève court courte long longue complet complète minimal minimale moyen moyenne maximal niveau niveaux
    grand grande petit petite gauche droite haut bas centre centré vertical verticale horizontal alphabétique chronologique croissant
    décroissant formel formelle informel amical amicale sobre technique moderne classique simple simples élégant minimaliste plat rond gras
    italique majuscule majuscules minuscule minuscules pluriel singulier indentation espaces tabulation tabulations guillemets doubles virgule
    point tiret parenthèses principal principale principaux secondaire important importante utile utiles clarté rapide lent précis souple
    flexible robuste cohérent cohérente accord correct correcte parfait merci nécessaire habituel normal normale cet cette ces ce produit
    produits panier jeu jeux joueur joueurs rapport rapports résultat résultats lesquels laquelle lequel
  `,
  alarms: {
    "destroying or replacing": {
      stems: `supprim effac nettoy detrui ecras remplac reinitialis desinstall annul jet enlev retir archiv raz menage ancien vieux vieil perd perte irrevers definitiv debarrass lach debranch renomm deplac rase adieu sauvegard liquid`,
      whole: "rase vide vider vidons videz vides",
    },
    "going out to others": {
      whole: "ligne",
      stems: `publi deploi envoi envoy partag diffus livr client courriel notifi invit annonc branche fusion monde equipe internet poster`,
    },
    "the machine and what runs on it": {
      stems: `serveur machine install execut lanc demarr redemarr arret reseau disque dossier repertoire commande processus systeme environnement paquet dependance ordinateur`,
    },
    "guards and autonomy": {
      stems: `permi autoris approuv acces secur proteg desactiv contourn ignor autonom privileg laiss`,
      whole: "sans seul seule droit droits malgre",
      phrases: [/(?<![a-z])(?:es|etes|vous|tu|on est)(?![a-z])[\s\S]*(?<![a-z])(?:accord|sur|sure|surs|certain)/],
    },
    "secrets and accounts": {
      stems: `secret identifiant compte prive personnel`,
      whole: "passe cle cles clef session",
    },
    "cost and models": {
      stems: `pay achet abonn cout coute prix tarif offre carte argent factur depens gratuit model societe`,
      whole: "louer loue louons",
    },
  },
});
